import { describe, expect, it } from 'vitest';
import { createCaps } from '../../../app/authority/caps.ts';
import { type Caps, problemWithCaps } from '../../../app/authority/caps-config.ts';
import { testClock } from '../../../app/clock.ts';
import { checkConfig } from '../../../app/config/check.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { evolve } from '../../../app/journal/fold/evolve.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import { usedIn } from '../../../app/journal/owed/tally.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { RunId } from '../../../app/records/index.ts';
import { deniedBefore } from '../../../app/runs/gate/denied-before.ts';
import { approvalId, asked, fold, HOUR_MS, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const begun = (call: string): EntryBody => ({
  type: 'call-started',
  call,
  attempt: call,
  tool: 'deploy',
  digest: 'd',
  grant: { type: 'open' },
});
const ended = (call: string, ms: number): EntryBody => ({
  type: 'call-finished',
  call,
  attempt: call,
  ok: true,
  ms,
  item: 5,
});
const denied: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: user('ANN') };
const prices = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
const wanted = (key: string, asks = false, tool = 'deploy') => ({ key: `${runId()}/${key}`, tool, asks });

/** The caps of one run over a store in which these runs are written. */
async function capsOver(caps: Caps, runs: readonly (readonly EntryBody[])[] = [], priced = true) {
  const clock = testClock(0);
  const store = createModelStore(clock);
  let count = 0;
  const entryId = () => `e${++count}`;
  const journalOf = (run: RunId) => openRunJournal({ store, entryId, elapsed: clock.now, counts: true }, run);
  for (const [n, entries] of runs.entries()) {
    await journalOf(runId(n + 2)).commit(() => ({ entries, result: undefined }));
  }
  const stateOf = (run: RunId) => journalOf(run).refresh();
  return createCaps({ caps, prices: priced ? prices : undefined, store, stateOf });
}

const other = (n: number, ...entries: readonly EntryBody[]): readonly EntryBody[] => [
  { type: 'run-started', run: runId(n), thread: { ...THREAD, ts: `${n}.0` }, requester: user('ANN') },
  ...entries,
];

describe('places that several threads share', () => {
  const run = (n: number) => fold(other(n)[0] ?? started, turn(1, 'a'));
  const place = (n: number, what: 'calls' | 'cards' = 'calls', tool = 'deploy') => ({
    key: `${runId(n)}/1/a`,
    tool,
    what,
  });

  it('are taken one by one, even when every thread sees a free place at the same instant (P64)', async () => {
    const make = await capsOver({ perRequester: { calls: 2 } });
    const threads = [1, 2, 3, 4].map((n) => ({ n, caps: make() }));
    const looked = threads.map(({ n, caps }) => caps.beforeCall(run(n), { ...place(n), asks: false }));
    expect(await Promise.all(looked)).toEqual([undefined, undefined, undefined, undefined]);

    const taken = await Promise.all(threads.map(({ n, caps }) => caps.take(run(n), place(n))));
    expect(taken.filter((words) => words === undefined)).toHaveLength(2);
    expect(taken.find((words) => words !== undefined)).toMatch(/limit: 2 tool calls for the person who asked, today/);
    // After a restart the same call has its place still.
    expect(await make().take(run(1), place(1))).toBeUndefined();
  });

  it('are counted for each tool as well, and apart for questions', async () => {
    const make = await capsOver({ perTool: { deploy: { cards: 1 } } });
    expect(await make().take(run(1), place(1, 'cards'))).toBeUndefined();
    expect(await make().take(run(2), place(2, 'cards'))).toMatch(/1 question to people for deploy/);
    expect(await make().take(run(2), place(2, 'calls'))).toBeUndefined();
    expect(await make().take(run(2), place(2, 'cards', 'other'))).toBeUndefined();
  });
});

describe('a cap of calls', () => {
  it('lets as many through as it says, and counts the calls of one turn together', async () => {
    const caps = (await capsOver({ perRun: { calls: 2 } }))();
    const state = fold(started, turn(1, 'a', 'b', 'c'));

    expect(await caps.beforeCall(state, wanted('1/a'))).toBeUndefined();
    expect(await caps.beforeCall(state, wanted('1/b'))).toBeUndefined();
    expect(await caps.beforeCall(state, wanted('1/b'))).toBeUndefined();
    expect(await caps.beforeCall(state, wanted('1/c'))).toMatch(/limit: 2 tool calls for this run/);
  });

  it.each(['th', 'this'])(
    'counts calls of other tools in the same turn, also before one of the tool %s (P64)',
    async (tool) => {
      const caps = (await capsOver({ perRun: { calls: 1 } }))();
      const state = fold(started, turn(1, 'a', 'b'));

      expect(await caps.beforeCall(state, wanted('1/a'))).toBeUndefined();
      expect(await caps.beforeCall(state, wanted('1/b', false, tool))).toMatch(/limit: 1 tool call for this run/);
    },
  );

  it('lets only one of two calls pass that look at the same count', async () => {
    const caps = (await capsOver({ perRequester: { calls: 1 } }))();
    const state = fold(started, turn(1, 'a', 'b'));

    const answers = await Promise.all([caps.beforeCall(state, wanted('1/a')), caps.beforeCall(state, wanted('1/b'))]);

    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
  });

  it('counts calls from before a restart, and none that people refused', async () => {
    const make = await capsOver({ perRun: { calls: 1 } });
    const ran = fold(started, turn(1, 'a'), begun('1/a'), ended('1/a', 1), turn(2, 'b'));
    expect(await make().beforeCall(ran, wanted('2/b'))).toBeDefined();

    const caps = make();
    const open = fold(started, turn(1, 'a'));
    expect(await caps.beforeCall(open, wanted('1/a', true))).toBeUndefined();
    const refused = fold(
      started,
      turn(1, 'a'),
      asked(),
      denied,
      { type: 'call-answered', call: '1/a', item: 3 },
      turn(2, 'b'),
    );
    expect(await caps.beforeCall(refused, wanted('2/b', true))).toBeUndefined();
  });

  it('can limit questions to people, which free calls do not use up', async () => {
    const caps = (await capsOver({ perRun: { cards: 1 } }))();
    const state = fold(started, turn(1, 'a', 'b', 'c'));

    expect(await caps.beforeCall(state, wanted('1/a'))).toBeUndefined();
    expect(await caps.beforeCall(state, wanted('1/b', true))).toBeUndefined();
    expect(await caps.beforeCall(state, wanted('1/c', true))).toMatch(/1 question to people/);
  });

  it('of a thread counts earlier runs, and of a person counts the same day in other threads', async () => {
    const before = [{ ...started, run: runId(2) } as EntryBody, turn(1, 'x'), begun('1/x')];
    const now = fold({ ...started, previous: runId(2) } as EntryBody, turn(1, 'a'));
    const thread = (await capsOver({ perThread: { calls: 1 } }, [before]))();
    expect(await thread.beforeCall(now, wanted('1/a'))).toMatch(/for this thread/);

    const person = await capsOver({ perRequester: { calls: 1 } }, [other(2, turn(1, 'x'), begun('1/x'))]);
    expect(await person().beforeCall(fold(started, turn(1, 'a')), wanted('1/a'))).toMatch(
      /the person who asked, today/,
    );
    const stranger = fold({ ...started, requester: user('ZOE') } as EntryBody, turn(1, 'a'));
    expect(await person().beforeCall(stranger, wanted('1/a'))).toBeUndefined();
  });

  it('of a tool counts that tool alone, for every requester', async () => {
    const make = await capsOver({ perTool: { deploy: { calls: 1 } } }, [other(2, turn(1, 'x'), begun('1/x'))]);
    const zoe = fold({ ...started, requester: user('ZOE') } as EntryBody, turn(1, 'a'));

    expect(await make().beforeCall(zoe, wanted('1/a'))).toMatch(/deploy, today/);
    expect(await make().beforeCall(zoe, wanted('1/a', false, 'look'))).toBeUndefined();
  });
});

it('of one tool still has room after calls of other tools in the same turn, and for no second call', async () => {
  const caps = (await capsOver({ perTool: { deploy: { calls: 1 } } }))();
  const state = fold(started, turn(1, 'a', 'b', 'c'));

  expect(await caps.beforeCall(state, wanted('1/a', false, 'look'))).toBeUndefined();
  expect(await caps.beforeCall(state, wanted('1/b'))).toBeUndefined();
  expect(await caps.beforeCall(state, wanted('1/c'))).toMatch(/1 tool call for deploy, today/);
});

describe('a cap of money and time', () => {
  it('stops when the answers of the model cost more', async () => {
    const caps = (await capsOver({ perRun: { cost: 1.5 } }))();

    expect(await caps.afterTurn(fold(started, turn(1, 'a')))).toBeUndefined();
    expect(await caps.afterTurn(fold(started, turn(1, 'a'), turn(2, 'b')))).toMatch(/a cost of 1.5 for this run/);
  });

  it('of a person counts the cost of that day’s other runs', async () => {
    const caps = (await capsOver({ perRequester: { cost: 1.5 } }, [other(2, turn(1, 'x')), other(3, turn(1, 'x'))]))();

    expect(await caps.afterTurn(fold(started, turn(1, 'a')))).toMatch(/a cost of 1.5/);
  });

  it('of a person counts the working time of tools in that day’s other runs (P63)', async () => {
    const worked = other(2, turn(1, 'x'), begun('1/x'), ended('1/x', 4_000));
    const now = fold(started, turn(1, 'a'));
    const capped = (minutes: number) => capsOver({ perRequester: { minutes } }, [worked]);

    expect(await (await capped(0.06))().afterTurn(now)).toMatch(/0.06 minutes of work for the person who asked, today/);
    expect(await (await capped(0.07))().afterTurn(now)).toBeUndefined();
  });

  it('counts the working time of the model and of tools, and no time in which people were waited for (P63)', async () => {
    const at = (...timed: readonly (readonly [number, EntryBody])[]) =>
      timed.reduce<RunState | undefined>(
        (state, [atMs, entry], n) => evolve(state, { ...entry, id: `${n}`, atMs }),
        undefined,
      );
    const yes: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'approve', by: user('ANN') };
    const state = at(
      [0, started],
      [2_000, turn(1, 'a')],
      [2_100, asked()],
      [2_100 + HOUR_MS, yes],
      [2_200 + HOUR_MS, begun('1/a')],
      [5_200 + HOUR_MS, ended('1/a', 3_000)],
      [6_200 + HOUR_MS, turn(2, 'b')],
    );

    expect(state && usedIn(state).workedMs).toBe(6_000);
    expect(state?.turns).toBe(2);
    const make = await capsOver({ perRun: { minutes: 0.09 } });
    expect(state && (await make().afterTurn(state))).toMatch(/0.09 minutes of work/);
    const enough = await capsOver({ perRun: { minutes: 0.1 } });
    expect(state && (await enough().afterTurn(state))).toBeUndefined();
  });

  it('counts no time in which a tool waits for the answers to its own questions (P63)', () => {
    const words = { server: 'notes', tool: 'notes__ask', message: 'Which branch?', schema: '{}' };
    const asks = (n: number): EntryBody => ({
      ...{ type: 'inquiry-asked', inquiry: approvalId(n), call: '1/a', expiresAtMs: HOUR_MS },
      ...words,
    });
    const ends = (n: number): EntryBody => ({ type: 'inquiry-settled', inquiry: approvalId(n), how: 'withdrawn' });
    const timed: readonly (readonly [number, EntryBody])[] = [
      [0, started],
      [1_000, turn(1, 'a')],
      [1_000, begun('1/a')],
      [2_000, asks(2)],
      [30_000, asks(3)],
      [62_000, ends(2)],
      [122_000, ends(3)],
      [125_000, ended('1/a', 124_000)],
    ];
    const state = timed.reduce<RunState | undefined>(
      (before, [atMs, entry], n) => evolve(before, { ...entry, id: `${n}`, atMs }),
      undefined,
    );

    expect(state && usedIn(state).workedMs).toBe(1_000 + 4_000);
  });

  it('of a thread counts the cost and the working time of its earlier runs', async () => {
    const before = [{ ...started, run: runId(2) } as EntryBody, turn(1, 'x')];
    const now = fold({ ...started, previous: runId(2) } as EntryBody, turn(1, 'a'));

    expect(await (await capsOver({ perThread: { cost: 1.5 } }, [before]))().afterTurn(now)).toMatch(/for this thread/);
    expect(await (await capsOver({ perThread: { cost: 2 } }, [before]))().afterTurn(now)).toBeUndefined();
    // Without prices, nothing has a cost.
    expect(await (await capsOver({ perThread: { cost: 1.5 } }, [before], false))().afterTurn(now)).toBeUndefined();
  });

  it('is refused without prices, or for a tool that does not exist', () => {
    expect(problemWithCaps({ perRun: { cost: 1 } }, [], false)?.problem).toContain('needs model.prices');
    const config = { limits: { perTool: { deplay: { calls: 1 } } } };
    expect(() => checkConfig(config, { now: Date.now })).toThrow(/limits.perTool.deplay is not the name of a tool/);
    const onlyLike = { limits: { perTool: { github__: { calls: 1 } } } };
    expect(() => checkConfig(onlyLike, { now: Date.now })).toThrow(/limits.perTool.github__ is not the name of a tool/);
    expect(() => checkConfig({ limits: { perRun: { calls: 0 } } }, { now: Date.now })).toThrow(/above 0/);
  });
});

describe('a call that a person refused (P64)', () => {
  const no = fold(started, turn(1, 'a'), asked(), denied, turn(2, 'b'));
  const deps = { stateOf: async () => no, afterDenialMs: 60_000, now: () => 0 };
  const next = fold({ ...started, run: runId(2), previous: runId() } as EntryBody, turn(1, 'a'));

  it('is not asked again in its run', async () => {
    expect(await deniedBefore(deps, no, { key: '2/b', digest: 'd1' })).toMatch(/refused exactly this call in this run/);
    expect(await deniedBefore(deps, no, { key: '2/b', digest: 'd2' })).toBeUndefined();
    expect(await deniedBefore(deps, no, { key: '1/a', digest: 'd1' })).toBeUndefined();
  });

  it('is asked again in a later run of the thread after a while, and not before', async () => {
    expect(await deniedBefore(deps, next, { key: '1/a', digest: 'd1' })).toMatch(/about 2 minutes/);
    expect(await deniedBefore({ ...deps, now: () => 60_005 }, next, { key: '1/a', digest: 'd1' })).toBeUndefined();
    expect(
      await deniedBefore({ ...deps, afterDenialMs: 0, now: () => 10 }, next, { key: '1/a', digest: 'd1' }),
    ).toBeUndefined();
  });

  it('is different from one that expired', async () => {
    const late = fold(started, turn(1, 'a'), asked(), { type: 'call-expired', approval: approvalId() }, turn(2, 'b'));
    expect(await deniedBefore(deps, late, { key: '2/b', digest: 'd1' })).toBeUndefined();
  });
});
