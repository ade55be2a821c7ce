import { decideUnknown } from '../../journal/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { AtStep } from '../../step.ts';
import type { Attempts } from '../gate/attempts.ts';
import type { Posts } from '../telling/posts.ts';
import { WORDS } from '../telling/words.ts';

export interface UnknownDeps {
  readonly attempts: Pick<Attempts, 'isMine'>;
  /**
   * How long a call started by another process is left alone before it is written as unknown: that process may only be
   * slow. 0 where no other process can exist.
   */
  readonly patienceMs: number;
  readonly step: AtStep;
}

/**
 * Writes a call as unknown that another process started and did not finish: it may have run. If the run goes on, people
 * are asked what became of the call; if it is over, the thread and the next run are told. `false` when it is too early
 * to say, because that process may still be alive.
 */
export async function reportUnknown(
  { attempts, patienceMs, step }: UnknownDeps,
  journal: RunJournal,
  posts: Posts,
): Promise<boolean> {
  let early = false;
  const committed = await journal.decide((state, nowMs) => {
    early = [...state.calls.values()].some(
      ({ execution }) =>
        execution.type === 'started' &&
        !attempts.isMine(execution.attempt) &&
        nowMs - execution.startedAtMs < patienceMs,
    );
    return early ? { entries: [], result: [] } : decideUnknown(state, attempts.isMine);
  }, []);
  if (early || committed === 'late') return false;
  if (committed.length > 0) await step('unknown-written');

  const state = journal.state();
  if (state === undefined || state.status.type === 'running') return true;
  for (const [call, { execution, answer, doubt }] of state.calls) {
    // Where people were asked about the call, the card says what is known.
    if (execution.type !== 'unknown' || answer !== undefined || doubt !== undefined) continue;
    await posts.say(`unknown/${call}`, { text: WORDS.unknownOutcome(execution.tool, execution.limitMs) });
  }
  return true;
}
