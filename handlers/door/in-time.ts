import type { Log } from '../../app/log.ts';
import { systemTimers } from '../../app/time/index.ts';
import { type Arrival, type FormAnswer, inPlace } from '../responding/index.ts';
import { loadingModal } from '../views/index.ts';

/** Slack waits three seconds, and a person who submits a form sees within one that it has arrived. */
const PATIENCE_MS = 900;

/**
 * Acknowledges a form in time, whatever its answer still waits for: the store, Slack or a decision. A later answer gets
 * `late` back and has to take another way.
 */
export function inTime(
  ack: (answer?: FormAnswer) => Promise<void>,
  { title, log }: { readonly title: string; readonly log: Log },
): Arrival['ack'] {
  let acknowledged = false;
  const once: Arrival['ack'] = async (answer) => {
    if (acknowledged) return 'late';
    acknowledged = true;
    cancel();
    await ack(answer);
    return 'taken';
  };
  const cancel = systemTimers.after(PATIENCE_MS, () => {
    // Slack may be out of reach. It then shows its own error, so there is only the log to tell.
    once(inPlace(loadingModal('Still working on it …', title))).catch((error: unknown) => {
      log.debug('A form could not be acknowledged in time', { error });
    });
  });
  return once;
}
