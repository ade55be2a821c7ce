import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunState } from '../../app/journal/fold/state.ts';
import { runKind } from '../../app/journal/owed/run-kind.ts';
import { threadKey } from '../../app/records/index.ts';
import type { DueItem } from '../../app/store/due.ts';
import type { Effect } from '../../app/store/store.ts';
import { foldEntries } from '../support/meaning.ts';
import { entriesOf, recordedJournals } from '../support/recorded.ts';
import { deliver } from '../support/store.ts';
import { startReplica } from './replica.ts';
import { FAKED } from './story.ts';
import { createWorld } from './world.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: FAKED }));
afterEach(() => void vi.useRealTimers());

const ended = recordedJournals().flatMap((journal) => {
  const entries = entriesOf(journal);
  const state = foldEntries(entries);
  return state.sealed ? [{ ...journal, entries, state }] : [];
});

describe.each(ended)('a run that was over in version $release, $name', ({ entries, state, texts }) => {
  it('is over for a new process as well, whatever wakes it: nothing runs, is said, asked or written (FN4, D2, D11, D12)', async () => {
    const world = await createWorld(1);
    Object.assign(world.weather, { lost: 0, refused: 0 });
    const { facts, listeners, queue } = world.store;
    const { run } = state;
    const thread = threadKey(state.thread);
    const lines = entries.map(({ id }, at) => ({ id, text: texts[at] ?? '' }));
    // The recording has no texts, so each item is `{}`. A process that says one of them again fails on it.
    const items = Array.from({ length: state.items }, () => '{}');
    const kept = runKind(0).effects(state, entries);
    await deliver(facts, state.thread, [...state.heard]);
    await facts.append({
      journal: run,
      expectedVersion: 0,
      entries: lines,
      items,
      effects: [...kept, ...calls(state)],
    });

    const { core, job, process } = await startReplica(world, 'newer');
    listeners.get(process)?.onHint({ run, thread, version: state.version });
    const advanced = core.runs.advance(thread);
    for (let seconds = 0; seconds < 60; seconds += 1) {
      while (await world.schedule.step());
      for (const one of queue.splice(0)) job(one);
      vi.advanceTimersByTime(1_000);
    }

    expect(await advanced).toBe('done');
    expect(world.errors).toEqual([]);
    expect(world.witnessed).toEqual([]);
    expect(world.asked).toEqual([]);
    expect(world.slack.messages()).toEqual([]);
    expect((await facts.read(run)).version).toBe(entries.length);
    expect([...facts.scheduled().todo]).toEqual([]);
  });
});

/** Repeats everything that has ever woken a process for this run. */
function calls({ thread, approvals, questions }: RunState): readonly Effect[] {
  const due = (what: DueItem['what'], ids: Iterable<string>) =>
    [...ids].map((subject): Effect => ({ type: 'due', item: { what, subject } as DueItem, atMs: 0 }));
  return [
    { type: 'todo', thread: threadKey(thread), inMs: 0 },
    ...due('expiry', [...approvals.keys(), ...questions.keys()]),
    ...['notice', 'reminder', 'escalation'].flatMap((what) => due(what as DueItem['what'], approvals.keys())),
  ];
}

it('there are such', () => {
  expect(ended.length).toBeGreaterThan(0);
});
