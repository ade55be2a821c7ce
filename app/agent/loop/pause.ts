import { type Interrupt, InterruptEvent, type Message } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { Run } from './run.ts';

/** Saves the questions, then announces each of them. `held` is input that waits to be let in. */
export async function pauseRun(
  run: Run,
  interrupts: readonly Interrupt[],
  held?: readonly Message[],
): Promise<{ readonly type: 'paused'; readonly interrupts: readonly Interrupt[] }> {
  await run.remember({ type: 'paused', interrupts: run.book.list(), ...given({ held }) });
  for (const interrupt of interrupts) {
    await run.tell(new InterruptEvent(run.context(), { interrupt }));
    run.show({ type: 'interrupt', interruptId: interrupt.id, reason: interrupt.reason ?? null });
  }
  return { type: 'paused', interrupts };
}
