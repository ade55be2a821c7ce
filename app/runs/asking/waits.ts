import type { RunJournal } from '../../recorder/index.ts';
import type { SessionStatus, Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import type { Hold } from '../story/hold.ts';
import { TakenOverError } from '../story/taken-over.ts';
import type { Writing } from '../telling/writing.ts';

/** Waits for an answer from people. */
export type Waits = <Answer>(answer: () => Promise<Answer>) => Promise<Answer>;

export interface WaitsDeps {
  readonly hold: Pick<Hold, 'signal' | 'waits' | 'resumes' | 'waitingSinceMs'>;
  readonly writing: Pick<Writing, 'rest'>;
  readonly surface: Pick<Surface, 'status'>;
}

/** Shows in the thread that the run waits, and marks since when. */
export function createWaits({ hold, writing, surface }: WaitsDeps, journal: Pick<RunJournal, 'state'>): Waits {
  /** Another process may have ended the run, also while this one had released it. That process has shown that the work is over. */
  const show = (status: SessionStatus): void => {
    const state = known(journal);
    if (!hold.signal.aborted && state.status.type === 'running') void surface.status(state.thread, status);
  };

  return async (answer) => {
    const isFirst = hold.waitingSinceMs() === undefined;
    const answered = hold.waits();
    const goOn = await writing.rest();
    // The thread shows it already for the other calls of a turn.
    if (isFirst) show('suspended');
    let works = false;
    try {
      const result = await answer();
      if (!(await hold.resumes())) throw new TakenOverError('it has the answer as well, and was faster');
      works = true;
      return result;
    } finally {
      answered();
      goOn();
      // A wait that was given up shows nothing: a person is still needed, or another process has the answer.
      if (works && hold.waitingSinceMs() === undefined) show('processing');
    }
  };
}
