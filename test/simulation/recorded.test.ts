import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runKind } from '../../app/journal/run-kind.ts';
import { threadKey } from '../../app/records.ts';
import { foldEntries } from '../support/meaning.ts';
import { entriesOf, recordedJournals } from '../support/recorded.ts';
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

describe.each(ended)('what version $release left, $name', ({ entries, state, texts }) => {
  it('FN4 D2 D11 D12 D15 is over for a new process, whatever hint, job and timer it loses: nothing runs, is said or asked', async () => {
    const world = await createWorld(1);
    Object.assign(world.weather, { lost: 0, refused: 0 });
    const { facts } = world.store;
    const lines = entries.map(({ id }, at) => ({ id, text: texts[at] ?? '' }));
    const items = Array.from({ length: state.items }, () => '{}');
    const thread = threadKey(state.thread);
    // Somebody must have advanced it at once, says the list, though nothing is to be done.
    const effects = [...runKind(0).effects(state, entries), { type: 'todo', thread, inMs: 0 } as const];
    await facts.append({ journal: state.run, expectedVersion: 0, entries: lines, items, effects });

    const { core } = await startReplica(world, 'newer');
    void core.runs.advance(thread);
    for (let seconds = 0; seconds < 60; seconds += 1) {
      while (await world.schedule.step());
      vi.advanceTimersByTime(1_000);
    }

    expect(world.witnessed).toEqual([]);
    expect(world.modelRequests).toBe(0);
    expect(world.slack.messages()).toEqual([]);
    expect((await facts.read(state.run)).version).toBe(entries.length);
  });
});

it('there are such', () => {
  expect(ended.length).toBeGreaterThan(0);
});
