import type { Log } from '../../app/log.ts';
import { systemTimers } from '../../app/time/index.ts';

/**
 * Acknowledges a delivery in time, whatever its answer still waits for: the store, Slack or a decision. After `ms` Slack gets
 * `meanwhile`. A later answer gets `late` back and has to take another way.
 */
export function inTime<Answer>(
  ack: (answer?: Answer) => Promise<void>,
  { ms, meanwhile, log }: { readonly ms: number; readonly meanwhile: Answer; readonly log: Log },
): (answer?: Answer) => Promise<'taken' | 'late'> {
  let acknowledged = false;
  const once = async (answer?: Answer): Promise<'taken' | 'late'> => {
    if (acknowledged) return 'late';
    acknowledged = true;
    cancel();
    await ack(answer);
    return 'taken';
  };
  const cancel = systemTimers.after(ms, () => {
    // Slack may be out of reach. It then shows its own error, so there is only the log to tell.
    once(meanwhile).catch((error: unknown) => {
      log.debug('A delivery could not be acknowledged in time', { error });
    });
  });
  return once;
}
