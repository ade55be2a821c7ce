import type { Log, LogLine } from '../../log.ts';
import { SERVER_LIMITS } from './limits.ts';

/**
 * A log that one tool server cannot fill, whatever it sends. Each kind of line has a bound of its own, so that a flood of one hides
 * no other. What the server writes to its error stream is of level `debug`, and passes.
 */
export function logOfServer(log: Log, { server, now }: { readonly server: string; readonly now: () => number }): Log {
  const lines = new Map<string, number>();
  let sinceMs = now();
  const bounded =
    (write: LogLine): LogLine =>
    (message, fields) => {
      if (now() - sinceMs >= HOUR_MS) {
        lines.clear();
        sinceMs = now();
      }
      const count = (lines.get(message) ?? 0) + 1;
      lines.set(message, count);
      if (count < SERVER_LIMITS.linesPerHour) write(message, fields);
      else if (count === SERVER_LIMITS.linesPerHour) log.warn(BOUND, { server, line: message });
    };
  return { debug: log.debug, info: bounded(log.info), warn: bounded(log.warn), error: bounded(log.error) };
}

const HOUR_MS = 60 * 60 * 1_000;
const BOUND =
  `A tool server has caused ${SERVER_LIMITS.linesPerHour} such lines within an hour. ` +
  'Further ones are left out until the hour is over. Look at the server.';
