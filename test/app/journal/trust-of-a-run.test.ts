import { expect, it } from 'vitest';
import { EntryBody } from '../../../app/journal/facts/entries.ts';
import { covers, type GrantedCall } from '../../../app/journal/fold/queries/trusts.ts';
import type { StandingTrust } from '../../../app/records/index.ts';
import { grantId, HOUR_MS, started, THREAD, user } from '../../support/journal.ts';

const grantFor = (scope: StandingTrust['offer']['scope']): StandingTrust => ({
  id: grantId(),
  team: THREAD.team,
  tool: 'deploy',
  definition: 'v1',
  policy: 'p1',
  offer: { line: 'deploy', match: 'any', scope, forMs: HOUR_MS },
  thread: THREAD,
  requester: user('ANN'),
  by: user('ANN'),
  givenAtMs: 0,
  untilMs: HOUR_MS,
  uses: 0,
});

/** As the tool runner makes it: place and person are those of the run, whoever speaks in whichever thread. */
const callIn = (about: Partial<Pick<GrantedCall, 'thread' | 'requester' | 'steeredBy'>>): GrantedCall => ({
  team: THREAD.team,
  tool: 'deploy',
  definition: 'v1',
  policy: 'p1',
  digest: 'd1',
  input: {},
  thread: THREAD,
  requester: user('ANN'),
  steeredBy: [about.requester ?? user('ANN')],
  ...about,
});

it('trust is looked up by the thread and the requester of the run itself (P19)', () => {
  const elsewhere = { thread: { ...THREAD, ts: '2.0' } };
  const forSomebodyElse = { requester: user('ZOE') };
  const covered = (scope: StandingTrust['offer']['scope'], about: Parameters<typeof callIn>[0]) =>
    covers(grantFor(scope), callIn(about), 1);

  expect([covered('thread', {}), covered('thread', elsewhere)]).toEqual([true, false]);
  expect([covered('requester', {}), covered('requester', forSomebodyElse)]).toEqual([true, false]);
  expect(covered('requester', elsewhere)).toBe(true);
});

it('trust covers no call of another tool, another team, another definition or other rules (P53)', () => {
  const others: readonly Partial<GrantedCall>[] = [
    { tool: 'drop' },
    { team: 'T0OTHER001' },
    { definition: 'v2' },
    { policy: 'p2' },
  ];

  expect(covers(grantFor('thread'), callIn({}), 1)).toBe(true);
  expect(others.map((other) => covers(grantFor('thread'), { ...callIn({}), ...other }, 1))).not.toContain(true);
});

it('a run with no requester cannot be written, so no such run has trust (P19)', () => {
  const { requester: _, ...nobodys } = { requester: undefined, ...started };

  expect(EntryBody.safeParse(started).success).toBe(true);
  expect(EntryBody.safeParse(nobodys).success).toBe(false);
});
