import type { Thread } from '../../records/index.ts';
import type { SessionStatus, Surface } from '../../surface.ts';
import type { Hold } from '../story/hold.ts';
import { TakenOverError } from '../story/taken-over.ts';
import type { Writing } from '../telling/writing.ts';

/** Waits for people. */
export type Waits = <Answer>(answer: () => Promise<Answer>) => Promise<Answer>;

export interface WaitsDeps {
  readonly hold: Pick<Hold, 'signal' | 'waits' | 'resumes' | 'waitingSinceMs'>;
  readonly writing: Pick<Writing, 'rest'>;
  readonly surface: Pick<Surface, 'status'>;
}

/** A run that waits for people shows it, and says since when. */
export function createWaits({ hold, writing, surface }: WaitsDeps, thread: Thread): Waits {
  /** Whoever has let go of the run has nothing more to say of it: others may have ended it. */
  const show = (status: SessionStatus): void => {
    if (!hold.signal.aborted) void surface.status(thread, status);
  };

  return async (answer) => {
    const answered = hold.waits();
    const goOn = await writing.rest();
    show('suspended');
    let works = false;
    try {
      const given = await answer();
      if (!(await hold.resumes())) throw new TakenOverError('it has the answer as well, and was faster');
      works = true;
      return given;
    } finally {
      answered();
      goOn();
      // Whoever gives up waiting says nothing: a person is needed still, or another process has the answer.
      if (works && hold.waitingSinceMs() === undefined) show('processing');
    }
  };
}
