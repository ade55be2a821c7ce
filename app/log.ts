/** One line of JSON for each thing worth knowing. Fields are named; secrets and inputs never enter. */
export interface Log {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}

export type LogLine = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const line =
    (name: LogLevel): LogLine =>
    (message, fields = {}) => {
      if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(level)) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...plain(fields) })}\n`);
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

/** Errors do not survive JSON by themselves. */
function plain(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
