import type { LogLine } from './log.ts';

/** The result of the work. When the work fails, the log says what that means and why, and the result is `undefined`. */
export async function orLog<Result>(
  line: LogLine,
  what: string,
  about: Readonly<Record<string, unknown>>,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
    // The work may fail in any way, and the caller goes on without it. The place of the call says why.
  } catch (error) {
    line(what, { ...about, error });
    return undefined;
  }
}
