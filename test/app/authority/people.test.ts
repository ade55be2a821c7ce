import { expect, it } from 'vitest';
import { groupsOf } from '../../../app/authority/groups.ts';
import { type Account, allBelong, factsOf, membersNamed, type People } from '../../../app/authority/people.ts';
import { ruleOf } from '../../../app/authority/policy/policy.ts';
import { UNKNOWN_TEAM } from '../../../app/records/index.ts';
import { toolTable } from '../../../app/tools/index.ts';
import { tool } from '../../support/in-process/index.ts';
import { THREAD, user } from '../../support/journal.ts';

const [ANN, BEN, ZOE] = [user('UANN'), user('UBEN'), user('UZOE')];
const by = { user: BEN, team: THREAD.team };
const rule = (...approvers: readonly string[]) => ({ approvers: approvers.map(user), selfApproval: false });

interface World {
  readonly accounts?: Readonly<Record<string, Account>>;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly channel?: readonly (typeof ANN)[];
}

function world({
  accounts = {},
  groups = {},
  channel = [ANN, BEN],
}: World = {}): People & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    account: async ({ user: id }) => {
      asked.push(`account ${id}`);
      return accounts[id] ?? 'person';
    },
    isInGroup: async ({ user: id }, group) => {
      asked.push(`group ${group}`);
      return groups[group]?.includes(id) === true;
    },
    isInChannel: async ({ user: id }) => {
      asked.push('channel');
      return channel.some((one) => one === id);
    },
    members: async (_where, place) => (place === THREAD.channel ? channel : groups[place]?.map(user)),
  };
}

it.each([UNKNOWN_TEAM, 'TOTHER'])(
  'asks Slack nothing about a person of %s, who counts as being nowhere',
  async (team) => {
    const people = world();

    expect(await factsOf(people, rule('channel', 'SOPS'), { user: BEN, team }, THREAD)).toMatchObject({
      account: team === UNKNOWN_TEAM ? 'unknown' : 'outsider',
      groups: [],
      inChannel: false,
    });
    expect(people.asked).toEqual([]);
  },
);

it('looks up only those facts about a person that the rule needs', async () => {
  const people = world();

  expect(await factsOf(people, rule(), by, THREAD)).toMatchObject({ account: 'person', groups: [], inChannel: false });
  expect(people.asked).toEqual(['account UBEN']);
});

it.each([
  [BEN, true],
  [ZOE, false],
])('finds whether %s is in the channel where the rule names the channel alone: %s (P31)', async (who, isIn) => {
  const people = world({ channel: [BEN] });

  expect((await factsOf(people, rule('channel'), { ...by, user: who }, THREAD)).inChannel).toBe(isIn);
});

it('finds the groups of a rule and of its stages that a person is in, and the channel when the rule names it', async () => {
  const people = world({ groups: { SOPS: ['UBEN'], SDEV: ['UANN'], SDBA: ['UBEN'] } });
  const stages = [{ approvers: ['SOPS', 'SDEV', 'channel'] }, { approvers: ['SDBA'] }];

  const facts = await factsOf(people, ruleOf({ approvers: [], selfApproval: true, stages }), by, THREAD);

  expect(facts).toMatchObject({ groups: ['SOPS', 'SDBA'], inChannel: true });
});

it('names the members of groups and of the channel, and none where they cannot be looked up', async () => {
  const people = world({ groups: { SOPS: ['UZOE'] }, accounts: { UANN: 'guest' } });
  const stages = [{ approvers: ['UBEN', 'SOPS', 'SGONE'] }, { approvers: ['channel'] }];

  const found = await membersNamed(people, ruleOf({ approvers: [], selfApproval: true, stages }), THREAD);

  expect([...found]).toEqual([
    ['SOPS', [ZOE]],
    ['channel', [BEN]],
  ]);
});

it('counts a member of the channel as able to decide when that member cannot be looked up, and leaves a large channel out', async () => {
  const few = Array.from({ length: 20 }, (_, n) => user(`U${n}`));
  const named = (channel: readonly (typeof ANN)[], accounts: World['accounts'] = {}) =>
    membersNamed(world({ channel, accounts }), rule('channel'), THREAD);

  expect((await named([ANN], { UANN: 'unknown' })).get('channel')).toEqual([ANN]);
  expect((await named(few)).get('channel')).toEqual(few);
  expect((await named([...few, ANN])).size).toBe(0);
});

it('counts authors as members only when each of them is a full member in the channel', async () => {
  expect(await allBelong(world(), [ANN, BEN], THREAD)).toBe(true);
  expect(await allBelong(world(), [ANN, ZOE], THREAD)).toBe(false);
  expect(await allBelong(world({ accounts: { UBEN: 'guest' } }), [ANN, BEN], THREAD)).toBe(false);
});

it('lists the groups of rules and tools that a full member is in, and none for a guest', async () => {
  const groups = { SOPS: ['UBEN'], SDEV: ['UBEN'], SDBA: ['UANN'] };
  const tools = toolTable([tool('restart', { approvers: ['SOPS', 'UANN'] }), tool('drop', { approvers: ['SDBA'] })]);
  const rules = [{ name: 'R', effect: 'ask', shadow: false, stages: [{ approvers: ['SDEV'] }] }] as const;
  const of = (people: People) => groupsOf({ rules, tools, people }, by);

  expect([...(await of(world({ groups })))].sort()).toEqual(['SDEV', 'SOPS']);
  expect(await of(world({ groups, accounts: { UBEN: 'guest' } }))).toEqual([]);
  const nobody = world();
  expect(await groupsOf({ rules: [], tools: toolTable([tool('restart')]), people: nobody }, by)).toEqual([]);
  expect(nobody.asked).toEqual([]);
});
