import type { Timers } from '../../interventions/index.ts';
import { systemTimers } from './timers.ts';

export interface TimeLimit<Late> {
  readonly ms: number;
  /** The answer when the work takes longer. */
  readonly late: Late;
  readonly timers?: Timers;
}

/** The result of the work, or `late` when it takes longer. The limit does not stop the work; its timer is cleared. */
export async function withLimit<Value, Late>(
  work: Promise<Value>,
  { ms, late, timers = systemTimers }: TimeLimit<Late>,
): Promise<Value | Late> {
  let cancel = () => {};
  const limit = new Promise<Late>((resolve) => {
    cancel = timers.after(ms, () => resolve(late));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel();
  }
}

/** Calls `again` at this interval until the work is over, however it ends. */
export async function whileUnderWay(
  work: Promise<unknown>,
  everyMs: number,
  again: () => Promise<unknown>,
): Promise<void> {
  const over = Promise.allSettled([work]).then(() => true);
  while (!(await withLimit(over, { ms: everyMs, late: false }))) await again();
}
