/** Writes one line of JSON for each event. Secrets and inputs never enter its fields. */
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
      write(
        `${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...plain(fields) }, shortened)}\n`,
      );
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

const STRING_CHARS = 4_096;
const WORD_CHARS = 1_000;

/** Texts from outside may be of any length, and each line is searched for secrets. */
function shortened(_name: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= STRING_CHARS) return value;
  // The last word is removed whole, because half of a secret would no longer be found.
  const blank = Math.max(value.lastIndexOf(' ', STRING_CHARS), value.lastIndexOf('\n', STRING_CHARS));
  const end = blank > STRING_CHARS - WORD_CHARS ? blank : STRING_CHARS;
  return `${value.slice(0, end)} … (${value.length - end} more characters)`;
}

/** Makes errors plain objects, because JSON would drop their fields. */
function plain(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
