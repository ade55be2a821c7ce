import type { Thread } from '../records.ts';
import type { Surface } from '../surface.ts';
import type { Hold } from './hold.ts';
import { TakenOverError } from './taken-over.ts';
import type { Writing } from './writing.ts';

/** Waits for people. */
export type Waits = <Answer>(answer: () => Promise<Answer>) => Promise<Answer>;

export interface WaitsDeps {
  readonly hold: Pick<Hold, 'waits' | 'resumes' | 'waitingSinceMs'>;
  readonly writing: Pick<Writing, 'rest'>;
  readonly surface: Pick<Surface, 'status'>;
}

/** A run that waits for people shows it, and says since when. */
export function createWaits({ hold, writing, surface }: WaitsDeps, thread: Thread): Waits {
  return async (answer) => {
    const answered = hold.waits();
    const goOn = await writing.rest();
    await surface.status(thread, 'suspended');
    let works = false;
    try {
      const given = await answer();
      if (!(await hold.resumes())) throw new TakenOverError('it has the answer as well, and was faster');
      works = true;
      return given;
    } finally {
      answered();
      goOn();
      // Whoever gives it up says nothing more: a person is needed still, or another process says what is true.
      if (works && hold.waitingSinceMs() === undefined) void surface.status(thread, 'processing');
    }
  };
}
