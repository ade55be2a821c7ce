import type { Log, LogLine } from '../../log.ts';
import { SERVER_LIMITS } from './limits.ts';

/** A log that one tool server cannot fill, whatever it sends. What it writes to its error stream is of level `debug`, and passes. */
export function logOfServer(log: Log, { server, now }: { readonly server: string; readonly now: () => number }): Log {
  let lines = 0;
  let sinceMs = now();
  const bounded =
    (write: LogLine): LogLine =>
    (message, fields) => {
      if (now() - sinceMs >= HOUR_MS) {
        lines = 0;
        sinceMs = now();
      }
      lines += 1;
      if (lines < SERVER_LIMITS.linesPerHour) write(message, fields);
      else if (lines === SERVER_LIMITS.linesPerHour) log.warn(BOUND, { server });
    };
  return { debug: log.debug, info: bounded(log.info), warn: bounded(log.warn), error: bounded(log.error) };
}

const HOUR_MS = 60 * 60 * 1_000;
const BOUND =
  `A tool server has caused ${SERVER_LIMITS.linesPerHour} lines within an hour. ` +
  'Further ones are left out until the hour is over. Look at the server.';
