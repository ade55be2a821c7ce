import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { createAttempts } from '../../../../app/runs/gate/attempts.ts';
import { type DriveDeps, driveRun } from '../../../../app/runs/story/drive.ts';
import { createHold } from '../../../../app/runs/story/hold.ts';
import type { Post } from '../../../../app/surface.ts';
import { runId, started, THREAD, turn } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

const plainly: DriveDeps['seals']['end'] = (journal, decide) => journal.commit(decide);

const quiet = () => {};
const nothing = async () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** While the agent of a run fails here, another process begins a call of it. */
async function begunElsewhere(patienceMs: number) {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const open = () => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const [mine, other] = [open(), open()];
  await mine.commit(() => ({ entries: [started, turn(1, 'a')], items: ['{}'], result: undefined }));
  const said: string[] = [];
  const begun = {
    call: '1/a',
    attempt: 'other',
    tool: 't',
    digest: 'd',
    definition: 'v1',
    grant: { type: 'open' },
  } as const;
  const surface = {
    say: async (_thread: unknown, { text }: Post) => {
      said.push(text);
      return { channel: THREAD.channel, ts: `${said.length}` };
    },
    ...{ status: nothing, takeBack: nothing, dropReply: nothing },
  };
  const deps = {
    ...{ surface, log, step: quiet, patienceMs, attempts: createAttempts(() => 'mine') },
    by: 'mine',
    cards: { settle: async () => 'paid' },
    lines: { settle: async () => 'paid' },
    copies: { settle: async () => 'paid' },
    seals: { begin: async () => 'written', end: plainly, seal: async () => 'sealed' },
    retries: { next: () => 5_000, done: quiet },
    tellLostRecord: async () => {},
    timers: { after: () => quiet },
    runAgent: async () => {
      await other.commit(() => ({ entries: [{ type: 'call-started', ...begun }], result: undefined }));
      return { type: 'failed', error: new Error('a handler'), words: 'Something went wrong.', storeAway: false };
    },
  } as unknown as DriveDeps;

  const run = { journal: mine, thread: threadKey(THREAD), ...createHold(clock.now) };
  const rest = await driveRun(deps, run);
  return { rest, run, said, call: () => mine.state()?.calls.get('1/a')?.execution.type };
}

it('a failed run ends only after the thread hears about a call of another process, and what waits is given up (D3, P29)', async () => {
  const { rest, run, said, call } = await begunElsewhere(0);

  expect(rest).toBe('over');
  expect(run.signal.reason).toBe('parked');
  expect(call()).toBe('unknown');
  expect(said.join('\n')).toContain('`t` was cut off while it ran');
});

it('a failed run is not over while a call of another process may only be slow (D3)', async () => {
  const { rest, said, call } = await begunElsewhere(60_000);

  expect(rest).toBe('later');
  expect(call()).toBe('started');
  expect(said).toEqual([]);
});

it('the agent of a run does not go on while a call of another process may only be slow (D3)', async () => {
  const clock = testClock(1_000);
  let ids = 0;
  const entryId = () => `id-${++ids}`;
  const journal = openRunJournal({ store: createModelStore(clock), entryId, elapsed: clock.now }, runId());
  const begun = { call: '1/a', attempt: 'other', tool: 't', digest: 'd', definition: 'v1' } as const;
  const entries = [started, turn(1, 'a'), { type: 'call-started', ...begun, grant: { type: 'open' } }] as const;
  await journal.commit(() => ({ entries, items: ['{}'], result: undefined }));
  const deps = {
    ...{ log, step: quiet, patienceMs: 60_000, attempts: createAttempts(() => 'mine') },
    ...{ retries: { done: quiet }, surface: {}, runAgent: async () => expect.unreachable() },
  } as unknown as DriveDeps;

  const run = { journal, thread: threadKey(THREAD), ...createHold(clock.now) };
  expect(await driveRun(deps, run)).toBe('later');
});

it.each([
  [
    'offers a run again later while Slack may still take what it has to say (MF-11)',
    5_000,
    { offerInMs: 5_000 },
    false,
  ],
  ['ends a run as unheard once Slack has taken nothing of it for too long (MF-11)', undefined, 'over', true],
])('%s', async (_what, inMs, rest, unheard) => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const entries = [started, turn(1, 'a'), { type: 'run-stopped', cause: 'It was stopped.' }] as const;
  await journal.commit(() => ({ entries, items: ['{}'], result: undefined }));
  const deps = {
    ...{ log, step: quiet, patienceMs: 0, attempts: createAttempts(() => 'mine') },
    surface: {
      say: () => Promise.reject(new Error('503')),
      takeBack: nothing,
      dropReply: nothing,
      tellUnheard: nothing,
    },
    by: 'mine',
    cards: { settle: async () => 'paid' },
    lines: { settle: async () => 'paid' },
    copies: { settle: async () => 'paid' },
    seals: { begin: async () => 'written', end: plainly, seal: async () => 'sealed' },
    retries: { next: () => inMs, done: quiet },
    tellLostRecord: async () => {},
  } as unknown as DriveDeps;

  const run = { journal, thread: threadKey(THREAD), ...createHold(clock.now) };
  expect(await driveRun(deps, run)).toEqual(rest);
  expect(journal.state()?.unheard !== false).toBe(unheard);
});

it('goes on with a run whose last answer the store has lost, and does not call it finished', async () => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  const journal = openRunJournal({ store, entryId: () => 'e1', elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries: [started], result: undefined }));
  const deps = {
    ...{ log, step: quiet, patienceMs: 0, attempts: createAttempts(() => 'mine') },
    surface: { status: nothing },
    cards: { settle: async () => 'paid' },
    lines: { settle: async () => 'paid' },
    seals: { begin: async () => 'written' },
    retries: { done: quiet },
    tellLostRecord: async () => {},
    timers: { after: () => quiet },
    runAgent: async () => ({ type: 'finished' }),
  } as unknown as DriveDeps;

  const run = { journal, thread: threadKey(THREAD), ...createHold(clock.now) };
  expect(await driveRun(deps, run)).toBe('later');

  expect((await journal.refresh())?.status.type).toBe('running');
});

it('ends a run behind its last answer and tells the thread, all in one drive', async () => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const answer = { ...turn(1), item: 0, stopReason: 'endTurn', says: true } as const;
  const text = JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: 'All is well.' }] });
  await journal.commit(() => ({ entries: [started, answer], items: [text], result: undefined }));
  const said: string[] = [];
  const deps = {
    ...{ log, step: quiet, patienceMs: 0, attempts: createAttempts(() => 'mine') },
    surface: {
      status: nothing,
      say: async (_thread: unknown, { text: post }: Post) => {
        said.push(post);
        return { channel: THREAD.channel, ts: '2.0' };
      },
    },
    by: 'mine',
    cards: { settle: async () => 'paid' },
    lines: { settle: async () => 'paid' },
    copies: { settle: async () => 'paid' },
    seals: { begin: async () => 'written', end: plainly, seal: async () => 'sealed' },
    retries: { done: quiet },
    tellLostRecord: async () => {},
    timers: { after: () => quiet },
    runAgent: async () => ({ type: 'finished' }),
  } as unknown as DriveDeps;

  const run = { journal, thread: threadKey(THREAD), ...createHold(clock.now) };
  expect(await driveRun(deps, run)).toBe('over');

  expect(journal.state()?.status.type).toBe('finished');
  expect(said).toEqual(['All is well.']);
});

it('leaves a run to another process that has begun to post its answer', async () => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const entries = [
    started,
    { ...turn(1), item: 0, stopReason: 'endTurn', says: true },
    { type: 'post-begun', key: 'turn/1', by: 'other' },
  ] as const;
  const text = JSON.stringify({ role: 'assistant', content: [] });
  await journal.commit(() => ({ entries, items: [text], result: undefined }));
  const deps = {
    ...{ log, step: quiet, patienceMs: 0, attempts: createAttempts(() => 'mine') },
    surface: { say: async () => expect.unreachable() },
    by: 'mine',
    retries: { done: quiet },
    tellLostRecord: async () => {},
  } as unknown as DriveDeps;

  const run = { journal, thread: threadKey(THREAD), ...createHold(clock.now) };
  expect(await driveRun(deps, run)).toBe('later');

  expect((await journal.refresh())?.version).toBe(3);
});

it('does nothing for a run that has been removed', async () => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  const journal = openRunJournal({ store, entryId: () => 'e1', elapsed: clock.now }, runId());
  const done: string[] = [];
  const deps = { log, step: quiet, retries: { done: (run: string) => done.push(run) } } as unknown as DriveDeps;

  const run = { journal, thread: threadKey(THREAD), ...createHold(clock.now) };
  expect(await driveRun(deps, run)).toBe('over');

  expect(done).toEqual([runId()]);
  expect(await journal.refresh()).toBeUndefined();
});
