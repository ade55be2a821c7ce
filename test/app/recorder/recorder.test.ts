import { afterEach, describe, expect, it, vi } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { decideExpiry, decidePress } from '../../../app/journal/decide/decide.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import { findBreak, hashLine, itemHashesIn, writeLines } from '../../../app/journal/line/line.ts';
import { runKind } from '../../../app/journal/owed/run-kind.ts';
import { LIMITS } from '../../../app/limits.ts';
import { ContendedError, createRecorder } from '../../../app/recorder/recorder.ts';
import type { AppendAnswer, AppendRequest, JournalPage, Store } from '../../../app/store/store.ts';
import { createTurns, type Turns } from '../../../app/time/index.ts';
import { approvalId, asked, HOUR_MS, pressed, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { deliver } from '../../support/store.ts';

afterEach(() => void vi.useRealTimers());

type Writer = Pick<Store, 'read' | 'append'>;

/** A store with a run in it that waits for a person, and writers on it that know nothing of each other. */
async function stage() {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  await deliver(store, THREAD, [...KEYS, ...MANY]);
  let ids = 0;
  const entryId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const writer = (over: Writer = store, its = clock, turns?: Turns) =>
    createRecorder({ store: over, entryId, elapsed: its.now, ...(turns && { turns }) }, runId(), runKind(0));
  const write = (...entries: readonly EntryBody[]) => writer().commit(() => ({ entries, result: undefined }));
  const types = async () =>
    (await store.read(runId())).entries.map(({ text }): string => JSON.parse(text).body.type).slice(3);
  const entries = [started, turn(1, 'a', 'b'), asked({ expiresAtMs: HOUR_MS })];
  await writer().commit(() => ({ entries, items: ['a turn'], result: undefined }));
  return { clock, store, writer, write, types };
}

/** The messages that people may write in these tests. */
const KEYS = ['one', 'two', 'meanwhile', 'next', 'm', 'mine', 'a', 'b', 'c', 'd'];
const MANY = Array.from({ length: 60 }, (_, index) => `message-${index}`);
const said = (key: string) => ({ type: 'person-said', key, user: user('ANN'), item: 0 }) satisfies EntryBody;
const guided = { type: 'guided', item: 0 } satisfies EntryBody;

const press = (verdict: 'approve' | 'deny') => (state: RunState | undefined) =>
  state === undefined ? { entries: [], result: 'unknown' as const } : decidePress(state, pressed({ verdict }));

/** What a hint would bring, after another process wrote two entries, and how often a waiting process then reads. */
async function told(change: (lines: JournalPage['entries']) => JournalPage['entries'] | undefined) {
  const { store, writer, write } = await stage();
  let reads = 0;
  const counted: Writer = {
    append: store.append,
    read: (...asked) => {
      reads += 1;
      return store.read(...asked);
    },
  };
  const waiting = writer(counted);
  await waiting.refresh();
  const known = waiting.state()?.version ?? 0;
  await write(said('one'), said('two'));
  const { entries, version } = await store.read(runId());
  reads = 0;
  const state = await waiting.refresh(version, change(entries.slice(known)));
  return { isNewest: state?.version === version && waiting.head() === hashLine(entries.at(-1)?.text ?? ''), reads };
}

const altered = ({ id, text }: JournalPage['entries'][number]) => ({ id, text: text.replace('ANN', 'EVE') });

describe('a recorder', () => {
  it.each([
    ['all that is new', (lines: JournalPage['entries']) => lines, 0],
    ['nothing', () => undefined, 1],
    ['less than is new', (lines: JournalPage['entries']) => lines.slice(1), 1],
    ['lines in another order', (lines: JournalPage['entries']) => lines.toReversed(), 1],
    [
      'a line that another one does not follow',
      ([one, two]: JournalPage['entries']) => one && two && [altered(one), two],
      1,
    ],
    ['what is no line', ([one]: JournalPage['entries']) => one && [one, { id: 'x', text: 'no line' }], 1],
  ])('knows the newest entry after a hint with %s', async (_what, change, reads) => {
    expect(await told(change)).toEqual({ isNewest: true, reads });
  });

  it('starts nothing on a forged hint: what it writes next does not follow from what is stored (D4)', async () => {
    const { writer, write, types } = await stage();
    const waiting = writer();
    const before = await waiting.refresh();
    const { lines } = writeLines(
      [
        {
          type: 'call-decided',
          approval: approvalId(),
          verdict: 'approve',
          by: user('EVE'),
          id: 'forged',
          atMs: 1_000,
        },
      ],
      waiting.head(),
    );

    await waiting.refresh((before?.version ?? 0) + 1, lines);
    await write(said('meanwhile'));

    await expect(waiting.commit(() => ({ entries: [said('next')], result: undefined }))).rejects.toThrow('set back');
    expect(await types()).toEqual(['person-said']);
  });

  it('decides again on the newest entries when another writer was faster (D4)', async () => {
    const { writer, types } = await stage();
    const [first, second] = [writer(), writer()];
    await Promise.all([first.refresh(), second.refresh()]);

    const answers = [await first.commit(press('approve')), await second.commit(press('deny'))];

    expect(answers).toEqual(['decided', 'settled']);
    expect(await types()).toEqual(['call-decided', 'press-refused']);
    expect(second.state()?.approvals.get(approvalId())?.standing).toMatchObject({ decision: { verdict: 'approve' } });
  });

  it('appends items behind those that the run has, each with its hash in the line that refers to it (EDGE-2)', async () => {
    const { writer, store } = await stage();

    await writer().commit((state) => ({
      entries: [
        { type: 'run-stopped', cause: 'a person did' },
        { ...said('m'), item: state?.items ?? 0 },
        { ...guided, item: (state?.items ?? 0) + 1 },
      ],
      items: ['hear', 'here'],
      result: undefined,
    }));

    const lines = (await store.read(runId())).entries.slice(3).map(({ text }) => itemHashesIn(text));
    expect(lines).toEqual([
      undefined,
      { from: 1, hashes: [hashLine('hear')] },
      { from: 2, hashes: [hashLine('here')] },
    ]);
    expect(await store.readItems(runId())).toEqual(['a turn', 'hear', 'here']);
  });

  it('writes nothing with an item to which no entry refers (EDGE-2)', async () => {
    const { store, writer, types } = await stage();

    const written = writer().commit(() => ({ entries: [{ ...guided, item: 2 }], items: ['a', 'b', 'c'], result: 0 }));

    await expect(written).rejects.toThrow('no entry of it refers to its item 1');
    expect(await types()).toEqual([]);
    expect(await store.readItems(runId())).toEqual(['a turn']);
  });

  it('lets all callers of one process write, however many come at once', async () => {
    const { store, writer, types } = await stage();
    const turns = createTurns();
    let appends = 0;
    const counted = answering(store, (request) => {
      appends += 1;
      return store.append(request);
    });

    const written = MANY.map((key) =>
      writer(counted, undefined, turns).commit(() => ({ entries: [said(key)], result: key })),
    );

    expect(await Promise.all(written)).toEqual(MANY);
    expect(appends).toBe(60);
    expect(await types()).toEqual(MANY.map(() => 'person-said'));
  });

  it('hands each decision the newest state, and never the result of a decision that was not written', async () => {
    const { writer, write } = await stage();
    const late = writer();
    await late.refresh();
    await write(guided);
    const seen: (number | undefined)[] = [];

    const committed = await late.commit((state) => {
      seen.push(state?.version);
      return { entries: [guided], result: state?.version };
    });

    expect(seen).toEqual([3, 4]);
    expect(committed).toEqual(4);
  });

  it('takes an append with a lost reply as done when the retry finds it in the store (FR4)', async () => {
    const { store, writer, types } = await stage();
    const forgetful = answering(store, async (request) => {
      await store.append(request);
      return store.append(request);
    });
    const recorder = writer(forgetful);

    expect(await recorder.commit(press('approve'))).toEqual('decided');
    expect(await recorder.commit(() => ({ entries: [said('m')], result: 'said' }))).toBe('said');

    expect(await types()).toEqual(['call-decided', 'person-said']);
  });

  it('goes on from its own entries after a lost reply, and finds later entries by a conflict (FR4)', async () => {
    const { store, writer, write, types } = await stage();
    let calls = 0;
    const recorder = writer(
      answering(store, async (request) => {
        calls += 1;
        if (calls > 1) return store.append(request);
        await store.append(request);
        await write(guided);
        return store.append(request);
      }),
    );

    await recorder.commit(() => ({ entries: [said('mine')], result: undefined }));
    expect(recorder.state()?.version).toBe(4);
    await recorder.commit(() => ({ entries: [said('next')], result: undefined }));

    expect(await types()).toEqual(['person-said', 'guided', 'person-said']);
    expect(recorder.state()?.version).toBe(6);
  });

  it('gives up after a number of conflicts, says so, and has written nothing', async () => {
    const { store, writer, types } = await stage();
    let tries = 0;
    const unlucky = answering(store, async () => {
      tries += 1;
      return { type: 'conflict', version: 3 };
    });
    vi.useFakeTimers();

    const failed = expect(writer(unlucky).commit(press('approve'))).rejects.toThrow(ContendedError);
    await vi.advanceTimersByTimeAsync(LIMITS.appendAttempts * 50);
    await failed;

    expect(tries).toBe(LIMITS.appendAttempts);
    expect(await types()).toEqual([]);
  });

  it('can be used again after an append that failed', async () => {
    const { store, writer, types } = await stage();
    let down = true;
    const shaky = answering(store, (request) => (down ? Promise.reject(new Error('away')) : store.append(request)));
    const recorder = writer(shaky);

    await expect(recorder.commit(press('approve'))).rejects.toThrow('away');
    down = false;

    expect(await recorder.commit(press('approve'))).toEqual('decided');
    expect(await types()).toEqual(['call-decided']);
  });

  it('writes its commits one after the other, each on top of the one before', async () => {
    const { store, writer, types } = await stage();
    let open = 0;
    let most = 0;
    const recorder = writer(
      answering(store, async (request) => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return store.append(request);
      }),
    );

    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((key) => recorder.commit((state) => ({ entries: [said(key)], result: state?.version }))),
    );

    expect(most).toBe(1);
    expect(results).toEqual([3, 4, 5, 6]);
    expect(await types()).toHaveLength(4);
  });

  it('lets one of twenty writers start what only one may start (D2)', async () => {
    const { writer, types } = await stage();
    const writers = Array.from({ length: LIMITS.appendAttempts }, () => writer());
    await Promise.all(writers.map((one) => one.refresh()));

    const answers = await Promise.all(
      writers.map((one) =>
        one.commit((state) =>
          state?.status.type === 'running'
            ? { entries: [{ type: 'run-finished' }], result: 'mine' }
            : { entries: [], result: 'too late' },
        ),
      ),
    );

    expect(answers.filter((answer) => answer === 'mine')).toHaveLength(1);
    expect(await types()).toEqual(['run-finished']);
  });

  it('is late by the clock of the store, whatever its own clock says (D14)', async () => {
    const { clock, store, writer, types } = await stage();
    const behind = writer(store, testClock(0));
    await behind.refresh();
    clock.advance(2 * HOUR_MS);

    expect(await behind.commit(press('approve'))).toEqual('late');
    expect(await types()).toEqual([]);
  });

  it('adds the time that has passed since to the last time of the store (D14)', async () => {
    const { store, writer } = await stage();
    const own = testClock(10 * HOUR_MS);
    const reader = writer(store, own);
    await reader.refresh();
    own.advance(500);

    expect(reader.nowMs()).toBe(1_500);
    expect(await reader.commit((_, nowMs) => ({ entries: [guided], result: nowMs }))).toBe(1_500);
  });

  it('expires nothing early because its own clock is ahead (FT1)', async () => {
    const { store, writer, types } = await stage();
    const ahead = writer(store, testClock(10 * HOUR_MS));

    const answer = await ahead.commit((state, nowMs) =>
      state === undefined ? { entries: [], result: 'settled' as const } : decideExpiry(state, approvalId(), nowMs),
    );

    expect(answer).toEqual('not-yet');
    expect(await types()).toEqual([]);
  });

  it('keeps one chain across all writers', async () => {
    const { store, writer } = await stage();
    const [first, second] = [writer(), writer()];
    for (const key of ['a', 'b', 'c']) {
      await first.commit(() => ({ entries: [said(key)], result: undefined }));
      await second.commit(() => ({ entries: [guided, guided], result: undefined }));
    }

    const { entries } = await store.read(runId());
    expect(entries).toHaveLength(12);
    expect(findBreak(entries.map(({ text }) => text))).toBeUndefined();
  });
});

/** The same store, with something done about its answers. */
function answering(store: Writer, append: (request: AppendRequest) => Promise<AppendAnswer>): Writer {
  return { read: store.read, append };
}
