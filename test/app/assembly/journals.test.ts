import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeJournals } from '../../../app/assembly/journals.ts';
import { testClock } from '../../../app/clock.ts';
import { checkConfig } from '../../../app/config/check.ts';
import type { EntryBody } from '../../../app/journal/index.ts';
import { LIMITS } from '../../../app/limits.ts';
import type { RunJournal } from '../../../app/recorder/index.ts';
import type { Store } from '../../../app/store/index.ts';
import { runId, started } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { reachNothing } from '../../support/reach.ts';

const TRAVEL_MS = 1;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const travels = () => new Promise<void>((resolve) => setTimeout(resolve, TRAVEL_MS));
const guided = { type: 'guided', item: 0 } satisfies EntryBody;
const write = (journal: RunJournal) => journal.commit(() => ({ entries: [guided], result: undefined }));

/** Processes whose runs and presses each have a connection of their own to one store, and a run. */
async function aDeployment() {
  const clock = testClock(1_000);
  const facts = createModelStore(clock);
  let isAway = false;
  let ids = 0;
  const connection = (): Store => ({
    ...facts,
    isExclusive: false,
    read: async (...about) => {
      await travels();
      return facts.read(...about).finally(travels);
    },
    append: async (request) => {
      if (isAway) await new Promise(() => {});
      await travels();
      return facts.append(request).finally(travels);
    },
  });
  const aProcess = () => {
    const presses = connection();
    const { journalOf, failFastJournalOf } = makeJournals({
      config: checkConfig({ tools: [] }, { now: clock.now, reach: reachNothing }),
      store: connection(),
      failFast: {
        ...presses,
        append: (request) => (isAway ? Promise.reject(new Error('away')) : presses.append(request)),
      },
      entryId: () => {
        ids += 1;
        return `id-${ids}`;
      },
      elapsed: clock.now,
      clock,
      appended: () => {},
    });
    return { ofRun: journalOf(runId()), ofPress: failFastJournalOf(runId()) };
  };
  const begun = aProcess().ofRun.commit(() => ({ entries: [started], result: undefined }));
  await vi.advanceTimersByTimeAsync(10 * TRAVEL_MS);
  await begun;
  return {
    aProcess,
    goesAway: () => {
      isAway = true;
    },
  };
}

describe('a press on a run', () => {
  it('is recorded while the run itself writes without a pause', async () => {
    const { aProcess } = await aDeployment();
    const { ofRun, ofPress } = aProcess();
    let isPressed = false;
    const running = (async () => {
      while (!isPressed) await write(ofRun);
    })();

    const pressed = write(ofPress).finally(() => {
      isPressed = true;
    });
    await vi.advanceTimersByTimeAsync(10 * LIMITS.appendAttempts * TRAVEL_MS);
    await running;

    expect(await pressed).toEqual(undefined);
  });

  it('is recorded when another process has many entries of that run to write at once', async () => {
    const { aProcess } = await aDeployment();
    const [{ ofRun }, { ofPress }] = [aProcess(), aProcess()];
    const entries = 5 * LIMITS.appendAttempts;

    const written = Promise.all([...Array(entries)].map(() => write(ofRun)));
    const pressed = write(ofPress);
    await vi.advanceTimersByTimeAsync(10 * entries * TRAVEL_MS);

    expect(await pressed).toEqual(undefined);
    expect(await written).toHaveLength(entries);
  });

  it('hears soon that the store is away, although a write of the run waits through the outage', async () => {
    const { aProcess, goesAway } = await aDeployment();
    const { ofRun, ofPress } = aProcess();
    goesAway();
    void write(ofRun);

    let heard: unknown = 'nothing yet';
    void write(ofPress).catch((error: unknown) => {
      heard = error;
    });
    await vi.advanceTimersByTimeAsync(LIMITS.turnMs + 10 * TRAVEL_MS);

    // The press is not awaited, because without its limit it never ends.
    expect(heard).toEqual(new Error('away'));
  });
});
