import type { Log } from '../../app/log.ts';
import { systemTimers } from '../../app/time/index.ts';

/**
 * Acknowledges a delivery in time, whatever its answer still waits for: the store, Slack or a decision. After `ms` Slack gets
 * `meanwhile`. A later answer gets `late` back and has to take another way, as does one that Slack does not take. Never rejects:
 * what the person wanted may be done by then.
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
    try {
      await ack(answer);
      return 'taken';
      // The socket may be broken. Slack then shows its own error.
    } catch (error) {
      log.debug('A delivery could not be acknowledged', { error });
      return 'late';
    }
  };
  const cancel = systemTimers.after(ms, () => void once(meanwhile));
  return once;
}
