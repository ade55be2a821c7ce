import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuthority } from '../../../app/authority/authority.ts';
import { createTrust } from '../../../app/authority/trust.ts';
import { testClock } from '../../../app/clock.ts';
import { scopeKey } from '../../../app/journal/fold/queries/trusts.ts';
import { toApproval } from '../../../app/journal/fold/queries/view.ts';
import { hashLine } from '../../../app/journal/line/line.ts';
import { giverKey, teamKey, threadsKey } from '../../../app/journal/owed/trusts.ts';
import { silentLog } from '../../../app/log.ts';
import { createTrustEnds } from '../../../app/recorder/trust-ends.ts';
import { createWorkspaceJournal } from '../../../app/recorder/workspace-journal.ts';
import type { AtStep } from '../../../app/step.ts';
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
import { MEMBERS } from '../../support/people.ts';

const ANN = user('UANN');
const restart = defineTool({ name: 'restart', description: 'Restarts.', input: z.object({}), run: () => '' });
const authority = createAuthority({
  ruleNow: async ({ rule }) => ({ rule }),
  tools: toolTable([restart]),
  rules: [],
  people: MEMBERS,
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
  step = () => {},
}: {
  readonly slow?: { ms: number };
  readonly step?: AtStep;
  readonly elapsed?: () => number;
} = {}) {
  const clock = testClock(1_000_000);
  const store = createModelStore(clock);
  const broken = { workspace: false };
  const patient: Store = {
    ...store,
    append: async (request: AppendRequest) => {
      if (broken.workspace && request.journal[2] === 'w') throw new Error('The store is away.');
      clock.advance(slow.ms);
      return store.append(request);
    },
  };
  let ids = 0;
  const entryId = () => {
    ids += 1;
    return `e${ids}`;
  };
  const trust = createTrust({
    endedBy: new Map(),
    store: patient,
    elapsed: elapsed ?? clock.now,
    entryId,
    recordEnd: createTrustEnds({
      workspaces: createWorkspaceJournal({ store: patient, entryId }),
      shards: store.shards,
      log: silentLog,
    }),
    step,
    newTrustId: (_team, delivery) => grantId(delivery === undefined ? ids : DELIVERED),
    counts: authority.counts,
    isCurrent: authority.isCurrent,
    mayGive: authority.mayGive,
    decidedOn: async () => undefined,
    log: silentLog,
    ended: async () => 'shown',
  });
  const give = async () => {
    const given = await trust.give({ tool: 'restart', scope: 'thread', thread: THREAD, forMs: HOUR_MS, by: ANN });
    if (given.type !== 'given') throw new Error(given.why);
    return given.trust;
  };
  return { clock, slow, broken, trust, give, store };
}

/** The number in the id of a trust that a delivery asks for. */
const DELIVERED = 999;

describe('a trust', () => {
  it('that words gave is ended by the words, and words that gave none end none (T11)', async () => {
    const { trust } = stage();
    const words = { by: { user: ANN, team: THREAD.team }, tool: 'restart', delivery: 'C1:1.0' };
    await trust.endGiven(words);
    const wish = { tool: 'restart', scope: 'thread', thread: THREAD, forMs: HOUR_MS, by: ANN } as const;
    await trust.give({ ...wish, delivery: words.delivery });
    expect(await trust.find(CALL)).toMatchObject({ by: ANN });

    await trust.endGiven(words);

    expect(await trust.find(CALL)).toBeUndefined();
  });

  it('is not used after its end, even when the store was away between the look and the write', async () => {
    const { trust, give, slow } = stage();
    const grant = await give();
    slow.ms = HOUR_MS;

    expect(await trust.use(grant.id, { ...CALL, run: runId(), call: '1/a' })).toBe('ended');
  });

  it('leaves every list when its time is over, so that no later call reads it (D9)', async () => {
    const { clock, trust, give, store } = stage();
    const { team } = THREAD;
    const lists = [scopeKey('thread', CALL), giverKey(team, ANN), threadsKey(team, THREAD.channel), teamKey(team)];
    const listed = async () => (await Promise.all(lists.map((of) => store.members({ what: 'grants', of })))).flat();
    const { id } = await give();
    expect(await trust.find(CALL)).toMatchObject({ id });
    expect(await listed()).toEqual([id, id, id, id]);

    clock.advance(HOUR_MS);
    expect(await trust.find(CALL)).toBeUndefined();

    expect(await listed()).toEqual([]);
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

  it('is not used after a person stopped it, not even by a call that it counted before (P19c)', async () => {
    const { trust, give } = stage();
    const { id } = await give();
    const call = { ...CALL, run: runId(), call: '1/a' };
    expect(await trust.use(id, call)).toBe('used');

    await trust.revoke(id, ANN);

    expect(await trust.use(id, call)).toBe('ended');
  });

  it('is listed for its channel while it counts in one of its threads, whoever gave it (SURF-1)', async () => {
    const { trust, give } = stage();
    const { id } = await give();
    const listed = async (channel: string) =>
      (await trust.listToEnd({ team: THREAD.team, channel, user: user('UBEN') })).map((one) => one.id);

    expect(await listed(THREAD.channel)).toEqual([id]);
    expect(await listed('C2')).toEqual([]);
    await trust.revoke(id, ANN);
    expect(await listed(THREAD.channel)).toEqual([]);
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

describe('the end of a trust', () => {
  /** What the journal of the workspace says of ended trusts, and the lists that still have one. */
  const recorded = async ({ read, members, journals }: Store) => {
    const workspaces = await Promise.all((await journals('workspace')).map((name) => read(name)));
    return {
      ends: workspaces.flatMap(({ entries }) => entries.map(({ text }) => JSON.parse(text).body)),
      listed: await members({ what: 'grants', of: teamKey(THREAD.team) }),
    };
  };

  it('is an entry of its workspace, and with this entry the trust leaves its lists (EDGE-2, T19)', async () => {
    const { store, trust, give } = stage();
    const { id } = await give();

    expect(await trust.revoke(id, ANN)).toBe('revoked');
    expect(await trust.revoke(id, ANN)).toBe('already');

    const head = hashLine((await store.read(id)).entries.at(-1)?.text ?? '');
    const end = { type: 'trust-ended', grant: id, by: ANN, version: 2, head };
    expect(await recorded(store)).toEqual({ ends: [end], listed: [] });
  });

  it('is recorded of each trust of a workspace that removed the app (EDGE-2)', async () => {
    const { store, trust, give } = stage();
    const given = [await give(), await give()];

    expect(await trust.endTrust(THREAD.team)).toBe(2);

    const { ends, listed } = await recorded(store);
    expect(ends.map(({ grant }) => grant)).toEqual(given.map(({ id }) => id));
    expect(listed).toEqual([]);
  });

  it('counts at once when the process dies before its workspace knows, and the next reader of its lists records it (EDGE-2)', async () => {
    const steps: string[] = [];
    const { store, trust, give } = stage({
      step: (step) => {
        steps.push(step);
        throw new Error('The process dies.');
      },
    });
    const { id } = await give();
    await expect(trust.revoke(id, ANN)).rejects.toThrow('dies');
    expect(steps).toEqual(['trust-taken']);
    expect(await recorded(store)).toEqual({ ends: [], listed: [id] });

    expect(await trust.use(id, { ...CALL, run: runId(), call: '1/a' })).toBe('ended');
    expect(await trust.find(CALL)).toBeUndefined();
    expect(await trust.find(CALL)).toBeUndefined();

    expect(await recorded(store)).toMatchObject({ ends: [{ type: 'trust-ended', grant: id }], listed: [] });
  });

  it('counts while the journal of its workspace cannot be written (EDGE-2)', async () => {
    const { store, trust, give, broken } = stage();
    const { id } = await give();
    broken.workspace = true;
    expect(await trust.revoke(id, ANN)).toBe('revoked');
    expect(await trust.listFor({ team: THREAD.team, user: ANN })).toEqual([]);

    broken.workspace = false;
    expect(await trust.listFor({ team: THREAD.team, user: ANN })).toEqual([]);
    expect(await recorded(store)).toMatchObject({ ends: [{ grant: id }], listed: [] });
  });
});
