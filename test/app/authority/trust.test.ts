import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuthority } from '../../../app/authority/authority.ts';
import { createTrust } from '../../../app/authority/trust.ts';
import { trustLine } from '../../../app/authority/trust-lines.ts';
import { testClock } from '../../../app/clock.ts';
import { toApproval } from '../../../app/journal/fold/queries/view.ts';
import { hashLine } from '../../../app/journal/line/line.ts';
import type { AppendRequest, Store } from '../../../app/store/store.ts';
import { defineTool, definitionHash, toolTable } from '../../../app/tools/index.ts';
import {
  approvalId,
  asked,
  fold,
  grantId,
  HOUR_MS,
  runId,
  started,
  THREAD,
  turn,
  user,
} from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const ANN = user('UANN');
const restart = defineTool({ name: 'restart', description: 'Restarts.', input: z.object({}), run: () => '' });
const authority = createAuthority({
  tools: toolTable([restart]),
  rules: [],
  people: {
    account: async () => 'person',
    isInGroup: async () => false,
    isInChannel: async () => true,
    members: async () => undefined,
  },
  requesterIn: async () => ANN,
});
const TERMS = { definition: definitionHash(restart), policy: authority.policyOf(restart) };
const CALL = {
  ...TERMS,
  team: THREAD.team,
  tool: 'restart',
  digest: 'x',
  input: {},
  thread: THREAD,
  requester: ANN,
  steeredBy: [ANN],
};

/** The store takes `slow` ms of its own time for each append: it was away, and the append has waited for it. */
function stage({
  slow = { ms: 0 },
  elapsed,
}: {
  readonly slow?: { ms: number };
  readonly elapsed?: () => number;
} = {}) {
  const clock = testClock(1_000_000);
  const store = createModelStore(clock);
  const patient: Store = {
    ...store,
    append: (request: AppendRequest) => {
      clock.advance(slow.ms);
      return store.append(request);
    },
  };
  let ids = 0;
  const trust = createTrust({
    store: patient,
    elapsed: elapsed ?? clock.now,
    entryId: () => {
      ids += 1;
      return `e${ids}`;
    },
    newTrustId: () => grantId(ids),
    counts: authority.counts,
    isCurrent: authority.isCurrent,
    mayGive: authority.mayGive,
    ended: async () => {},
    trustLine,
  });
  const give = async () => {
    const given = await trust.give({ tool: 'restart', scope: 'thread', thread: THREAD, forMs: HOUR_MS, by: ANN });
    if (given.type !== 'given') throw new Error(given.why);
    return given.trust;
  };
  return { clock, slow, trust, give, store };
}

describe('a trust', () => {
  it('is not used after its end, even when the store was away between the look and the write', async () => {
    const { trust, give, slow } = stage();
    const grant = await give();
    slow.ms = HOUR_MS;

    expect(await trust.use(grant.id, { ...CALL, run: runId(), call: '1/a' })).toBe('ended');
  });

  it('covers nothing after a newer version has written to it, and listing or ending trust reports that (FN4)', async () => {
    const { clock, store, trust, give } = stage();
    const grant = await give();
    const { entries, version } = await store.read(grant.id);
    const [text = ''] = entries.map((entry) => entry.text);
    const body = { type: 'grant-used', run: runId(), call: '1/a' };
    const newer = JSON.stringify({ v: 2, id: 'n', atMs: clock.now(), prev: hashLine(text), body });
    await store.append({
      journal: grant.id,
      expectedVersion: version,
      entries: [{ id: 'n', text: newer }],
      effects: [],
    });

    expect(await trust.find(CALL)).toBeUndefined();
    expect(await trust.use(grant.id, { ...CALL, run: runId(), call: '1/b' })).toBe('ended');
    const place = { team: THREAD.team, channel: THREAD.channel, threadTs: THREAD.ts, user: ANN };
    await expect(trust.list(place)).rejects.toThrow('newer version');
    await expect(trust.revoke(grant.id, ANN)).rejects.toThrow('newer version');
  });

  it('is used until the last instant before its end', async () => {
    const { trust, give, slow } = stage();
    const grant = await give();
    slow.ms = HOUR_MS - 1;

    expect(await trust.use(grant.id, { ...CALL, run: runId(), call: '1/a' })).toBe('used');
  });

  it('counts from the decision that gave it, even when the deciding process died and another one writes it a day later', async () => {
    const { trust, clock } = stage();
    const state = fold(started, turn(1, 'a'), asked({ tool: 'restart' }), {
      type: 'call-decided',
      approval: approvalId(),
      verdict: 'trust',
      by: ANN,
      grant: grantId(),
    });
    const given = state.approvals.get(approvalId());
    if (given === undefined) throw new Error('Nobody was asked.');
    clock.advance(24 * HOUR_MS);

    await trust.grantTrust(
      toApproval(state, given, () => undefined),
      TERMS,
    );

    expect(await trust.listFor({ team: THREAD.team, user: ANN })).toEqual([]);
    expect(await trust.revoke(grantId(), ANN)).toBe('revoked');
  });

  it.each([
    ['behind', 0],
    ['ahead', 10 * HOUR_MS],
  ])('ends by the clock of the store, however far a replica is %s (D14, FT1)', async (_, ownMs) => {
    const { clock, trust, give } = stage({ elapsed: () => ownMs });
    const { id } = await give();
    const listed = async () => (await trust.listFor({ team: THREAD.team, user: ANN })).map((grant) => grant.id);

    clock.advance(HOUR_MS - 1);
    expect((await trust.find(CALL))?.id).toBe(id);
    expect(await listed()).toEqual([id]);

    clock.advance(2);
    expect(await trust.find(CALL)).toBeUndefined();
    expect(await listed()).toEqual([]);
  });
});
