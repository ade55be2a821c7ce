import { expect, it } from 'vitest';
import { type Account, factsOf, type People } from '../../app/authority/people.ts';
import { rightToDecide } from '../../app/authority/rights.ts';
import { createAsker, WHO_MAY_ASK } from '../../app/who-may-ask.ts';
import { accountOf } from '../../handlers/workspaces/belonging.ts';
import { THREAD, user } from '../support/journal.ts';

const people = (account: Account): People => ({
  account: async () => account,
  isInGroup: async () => false,
  isInChannel: async () => false,
  members: async () => undefined,
});

it.each<[Account, ...string[]]>([
  ['person', 'yes', 'yes', 'yes'],
  ['guest', 'no', 'yes', 'yes'],
  ['outsider', 'no', 'no', 'yes'],
  ['bot', 'silent', 'silent', 'yes'],
  ['deactivated', 'silent', 'silent', 'silent'],
  ['unknown', 'unknown', 'unknown', 'unknown'],
])(
  'a %s has these rights to ask, with `members`, `guests` and `anybody`: %s, %s, %s (MF-6, T14)',
  async (account, ...rights) => {
    const answers = WHO_MAY_ASK.map((who) =>
      createAsker(people(account), who).may({ thread: THREAD, user: user('UANN') }, 'message'),
    );

    expect(await Promise.all(answers)).toEqual(rights);
  },
);

it.each<[string, object, Account]>([
  ['is a person where every fact is there', {}, 'person'],
  ['is unknown where it is not said whether they are a guest', { is_restricted: undefined }, 'unknown'],
  ['is unknown where it is not said whether they are a bot', { is_bot: undefined }, 'unknown'],
  ['is unknown where no team is named', { team_id: undefined }, 'unknown'],
  ['is a guest where one fact says so', { is_restricted: undefined, is_ultra_restricted: true }, 'guest'],
  ['is an outsider by their team', { team_id: 'T9', is_bot: undefined }, 'outsider'],
  ['is a bot by the id of Slackbot', { id: 'USLACKBOT' }, 'bot'],
])('an account in Slack %s (MF-6)', (_what, changes, account) => {
  const facts = { id: 'UANN', team_id: 'T1', deleted: false, is_bot: false, is_restricted: false };

  expect(accountOf({ ...facts, ...changes }, 'T1')).toBe(account);
});

it('a presser of an unknown workspace decides nothing, and is not called a stranger (MF-6)', async () => {
  const rule = { approvers: [], selfApproval: true };
  const requester = user('UANN');
  const presser = await factsOf(people('person'), rule, { user: requester, team: 'unknown' }, THREAD);

  expect(rightToDecide(rule, 'asked', { requester, alsoSteeredBy: [], presser, threadTeam: THREAD.team })).toEqual({
    type: 'refused',
    why: expect.stringContaining('could not find out who you are'),
  });
});
