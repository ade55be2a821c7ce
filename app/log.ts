import { inspect } from 'node:util';

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
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...plain(fields) }, inField)}\n`);
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

/**
 * What an error says, for the log, for people and for the model. Its author may be a tool, a tool server, Slack or a model,
 * so it may be of any length and of any type.
 */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return shortened(error);
  // When no address of a host takes a connection, only the error of each address says why.
  const errors = error instanceof AggregateError && messageOf(error) === '' ? [error.errors].flat() : [error];
  const said = errors.map(messageOf).filter(Boolean).join('; ');
  return shortened(said || inspect(error, { depth: 1, maxStringLength: SAID_BYTES }));
}

function messageOf(error: unknown): string {
  const message: unknown = error instanceof Error ? error.message : '';
  return typeof message === 'string' ? message : '';
}

/** A text of at most 4 KB, in whole characters, which says how much is missing. */
export function shortened(text: string): string {
  if (fitting(text, SAID_BYTES) === text.length) return text;
  const room = fitting(text, SAID_BYTES - NOTE_BYTES);
  // The last word is removed whole, because half of a secret would no longer be found.
  const blank = Math.max(text.lastIndexOf(' ', room), text.lastIndexOf('\n', room));
  const end = blank > room - WORD_CHARS ? blank : room;
  return `${text.slice(0, end)} … (${text.length - end} more characters)`;
}

const SAID_BYTES = 4_096;
/** Room for the note on how much is missing. */
const NOTE_BYTES = 40;
const WORD_CHARS = 1_000;
const encoder = new TextEncoder();

/** How much of a text fits into so many bytes, in UTF-16 units. It ends behind a whole code point. */
function fitting(text: string, bytes: number): number {
  return text.length * MOST_BYTES <= bytes ? text.length : encoder.encodeInto(text, new Uint8Array(bytes)).read;
}

/** What one UTF-16 unit takes at most. */
const MOST_BYTES = 3;

/** Texts from outside may be of any length, and each line is searched for secrets. */
const inField = (_name: string, value: unknown): unknown => (typeof value === 'string' ? shortened(value) : value);

/** Makes errors plain objects, because JSON would drop their fields. */
function plain(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? plainError(value) : value]),
  );
}

/** `detail` is what an error says for the log alone, such as the words of the provider of the model. */
function plainError(error: Error & { readonly detail?: unknown }) {
  const { name, message, stack, detail } = error;
  return { name, message, stack, detail: typeof detail === 'string' ? detail : undefined };
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
