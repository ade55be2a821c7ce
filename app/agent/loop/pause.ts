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

/** Saves, after a failure, that questions are open again whose answers could not be judged. The failure itself goes on. */
export async function saveReopened(run: Run): Promise<void> {
  const before = run.state().interrupts ?? [];
  const interrupts = before.map((interrupt) => run.book.find(interrupt.id) ?? interrupt);
  const reopened = interrupts.some(({ response }, at) => response === undefined && before[at]?.response !== undefined);
  // The record may fail as well. The caller gets the first failure, and the answer is then judged again.
  if (reopened) await Promise.allSettled([run.remember({ type: 'paused', interrupts })]);
}
