import { expect, it, vi } from 'vitest';
import type { TrustEntryBody } from '../../../../app/journal/facts/trusts.ts';
import { evolveTrust, runsOn, type TrustState } from '../../../../app/journal/fold/trusts.ts';
import { UserId } from '../../../../app/records/index.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { grantId, runId, THREAD } from '../../../support/journal.ts';

const by = UserId.parse(ANN);
const BEGUN: TrustEntryBody = {
  ...{ type: 'grant-given', grant: grantId(1), team: THREAD.team, tool: 'restart', definition: 'd', thread: THREAD },
  offer: { match: 'any', scope: 'thread', forMs: 1_000, line: 'restart with any input' },
  ...{ requester: by, by, untilMs: 1_000 },
};
const used = (call: string): TrustEntryBody => ({ type: 'grant-used', run: runId(), call });

const folded = (entries: readonly TrustEntryBody[], from?: TrustState) =>
  entries.reduce<TrustState | undefined>((state, entry) => evolveTrust(state, { ...entry, id: 'e', atMs: 1 }), from);

it('the fold of a trust writes each use into one table, however many there are (D9)', () => {
  const written = [vi.spyOn(Set.prototype, 'add'), vi.spyOn(Map.prototype, 'set')];
  const calls = Array.from({ length: 300 }, (_, at) => used(`1/${at}`));
  const state = folded([BEGUN, ...calls]);
  const count = written.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();

  expect(state?.trust.uses).toBe(300);
  expect(count).toBeLessThan(2 * 300);
});

it('two states that go on from one state of a trust do not see the uses of each other (T11)', () => {
  const before = folded([BEGUN, used('1/a')]);
  const one = folded([used('1/b'), used('1/b')], before);
  const other = folded([used('1/c'), used('1/b')], before);

  const seen = [before, one, other].map((state) =>
    ['a', 'b', 'c'].filter((call) => state?.usedBy.has(`${runId()} 1/${call}`)),
  );
  expect(seen).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
  expect([before, one, other].map((state) => state?.trust.uses)).toEqual([1, 2, 3]);
  expect(other && runsOn(other)).toEqual([runId()]);
});
