import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { evolve } from '../../../app/journal/fold/evolve.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import { NewerEntryError } from '../../../app/journal/line/line.ts';
import { NewerJournalError } from '../../../app/journal/line/newer.ts';
import { silentLog } from '../../../app/log.ts';
import { createWaiting } from '../../../app/questions/waiting.ts';
import { SetBackError } from '../../../app/recorder/reading.ts';
import type { RunJournal } from '../../../app/recorder/run-journal.ts';
import { approvalId, asked, fold, runId, started, turn, user, whenSettled } from '../../support/journal.ts';

const decided: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'approve', by: user('ANN') };

/** A journal that others write to: `refresh` finds what they wrote. */
const journal = () => {
  let state: RunState = fold(started, turn(1, 'a'), asked());
  let away: Error | undefined;
  const written: EntryBody[] = [];
  let reads = 0;
  const refresh = async () => {
    reads += 1;
    if (away !== undefined) throw away;
    for (const entry of written.splice(0)) state = evolve(state, { ...entry, id: 'x', atMs: 9 });
    return state;
  };
  let isSetBack = false;
  const parts: Pick<RunJournal, 'run' | 'refresh' | 'state' | 'wasSetBack'> = {
    ...{ run: runId(), refresh, state: () => state },
    wasSetBack: () => isSetBack,
  };
  return {
    // Waiting uses nothing else of a journal.
    journal: parts as RunJournal,
    reads: () => reads,
    write: (entry: EntryBody) => written.push(entry),
    setAway: (now: Error | undefined) => {
      away = now;
    },
    setBack: () => {
      isSetBack = true;
    },
  };
};

describe('the wait for a decision', () => {
  it('sees a decision that was made before the wait began', async () => {
    const { journal: run, write } = journal();
    write(decided);

    const settled = await createWaiting({ log: silentLog }).untilFound(
      run,
      whenSettled(),
      new AbortController().signal,
    );

    expect(settled.standing.status).toBe('decided');
  });

  it('is woken by a hint, and by a look at every wait when the hint was lost', async () => {
    for (const wake of ['look', 'lookAtAll'] as const) {
      const { journal: run, write } = journal();
      const waiting = createWaiting({ log: silentLog });
      const settled = waiting.untilFound(run, whenSettled(), new AbortController().signal);
      await waiting.look(run.run);
      expect(waiting.count()).toBe(1);

      write(decided);
      await (wake === 'look' ? waiting.look(run.run) : waiting.lookAtAll());

      expect((await settled).standing.status).toBe('decided');
      expect(waiting.count()).toBe(0);
    }
  });

  it('goes on for one waiter when another one in the same run gives up, and reads nothing once both have ended', async () => {
    const { journal: run, write, reads } = journal();
    const waiting = createWaiting({ log: silentLog });
    const stays = waiting.untilFound(run, whenSettled(), new AbortController().signal);
    const leaves = new AbortController();
    const left = waiting.untilFound(run, whenSettled(), leaves.signal);
    leaves.abort('parked');
    await expect(left).rejects.toBe('parked');
    expect(waiting.count()).toBe(1);

    write(decided);
    await waiting.look(run.run);
    expect((await stays).standing.status).toBe('decided');

    const before = reads();
    await Promise.all([waiting.look(run.run), waiting.lookAtAll()]);
    expect(reads()).toBe(before);
  });

  it('survives a look that fails', async () => {
    const { journal: run, write, setAway } = journal();
    const waiting = createWaiting({ log: silentLog });
    setAway(new Error('The store is away.'));
    const settled = waiting.untilFound(run, whenSettled(), new AbortController().signal);
    await waiting.look(run.run);
    write(decided);
    setAway(undefined);

    await waiting.lookAtAll();

    expect((await settled).standing.status).toBe('decided');
  });

  it('ends with the reason of the signal, and leaves nothing behind', async () => {
    const { journal: run } = journal();
    const waiting = createWaiting({ log: silentLog });
    const parked = new AbortController();
    const settled = waiting.untilFound(run, whenSettled(), parked.signal);

    parked.abort('parked');

    await expect(settled).rejects.toBe('parked');
    expect(waiting.count()).toBe(0);
    await expect(waiting.untilFound(run, whenSettled(), parked.signal)).rejects.toBe('parked');
  });

  it.each([
    ['set back', new SetBackError(runId())],
    ['written by a newer version', new NewerJournalError(runId(), new NewerEntryError('an entry of version 2'))],
  ])('ends when its journal was %s: no look can find the answer any more', async (_, error) => {
    const { journal: run, setAway } = journal();
    const waiting = createWaiting({ log: silentLog });
    const settled = waiting.untilFound(run, whenSettled(), new AbortController().signal);
    await waiting.look(run.run);

    setAway(error);
    await Promise.all([waiting.look(run.run), expect(settled).rejects.toBe(error)]);

    expect(waiting.count()).toBe(0);
  });

  it('ends when another reader of this process met the loss of entries first, and the journal can be read again (FR15)', async () => {
    const { journal: run, setBack } = journal();
    const waiting = createWaiting({ log: silentLog });
    const settled = waiting.untilFound(run, whenSettled(), new AbortController().signal);
    await waiting.look(run.run);

    setBack();
    await Promise.all([waiting.lookAtAll(), expect(settled).rejects.toThrow(SetBackError)]);

    expect(waiting.count()).toBe(0);
  });
});
