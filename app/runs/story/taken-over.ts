/**
 * Another process goes on with this run, because this one was too slow or was paused. This process drops the run from
 * memory and posts nothing; the journal has everything.
 */
export class TakenOverError extends Error {
  override readonly name = 'TakenOverError';

  constructor(why: string, cause?: unknown) {
    super(`Another process goes on with this run (${why}). Nothing is lost and nothing needs to be done.`, { cause });
  }
}

/** Why a process drops a run that a stop has left without a word in its journal. */
export const LEFT = 'a person had its thread left without it';
