import { systemTimers } from '../../app/time/index.ts';
import { type Arrival, type FormAnswer, inPlace } from '../responding/index.ts';
import { loadingModal } from '../views/index.ts';

/** Slack takes an answer to a form for three seconds; this leaves it time to travel. */
const PATIENCE_MS = 2_000;

/**
 * Acknowledges a form in time, whatever its answer still waits for: the store, Slack, or whoever decides. An answer that
 * comes later is told so, and finds another way.
 */
export function inTime(ack: (answer?: FormAnswer) => Promise<void>, title: string): Arrival['ack'] {
  let acknowledged = false;
  const once: Arrival['ack'] = async (answer) => {
    if (acknowledged) return 'late';
    acknowledged = true;
    cancel();
    await ack(answer);
    return 'taken';
  };
  const cancel = systemTimers.after(PATIENCE_MS, () => {
    // An acknowledgement that fails has nobody left who reads it.
    once(inPlace(loadingModal('Still at it …', title))).catch(() => {});
  });
  return once;
}
