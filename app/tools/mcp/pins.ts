import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../../interventions/index.ts';
import { SERVER_LIMITS } from './limits.ts';

/** Is a tool still what it was when it was pinned or last allowed? */
export type PinStanding = 'as-pinned' | 'changed' | 'changes-too-often';

export interface Seen {
  readonly server: string;
  /** The name that the server uses. */
  readonly tool: string;
  /** The name that the model and people see. */
  readonly name: string;
  readonly hash: string;
  readonly definition: Json;
}

export interface Pin extends Seen {
  /** The allowed definition: the first one seen, or the one allowed since. */
  readonly allowed: { readonly hash: string; readonly definition: Json; readonly at: string };
  /** How often the definition has changed since. */
  readonly changes: number;
}

export interface ComparedPin {
  readonly standing: PinStanding;
  /** The allowed definition. It is the seen one, unless that has changed. */
  readonly allowed: Json;
}

export interface Pins {
  /** Compares tools with their pins, and writes what is new before it returns. A tool seen for the first time is pinned. */
  readonly see: (seen: readonly Seen[]) => readonly ComparedPin[];
  /** Allows a tool as it was last seen. `undefined` for an unknown tool, or one that was last seen with another hash. */
  readonly allow: (name: string, hashStart?: string) => Pin | undefined;
  readonly all: () => readonly Pin[];
  /** Another text after each change of the file. */
  readonly version: () => string;
}

/** In DATA_DIR. */
export const PINS_FILE = 'mcp-pins.jsonl';

/** The file of pins cannot be used. The bot does not guess, because it would take a changed tool for a new one. */
export class PinsFileError extends Error {
  override readonly name = 'PinsFileError';
}

/**
 * The definitions of tools of servers as they were first seen or last allowed. Each event adds one line and no line is
 * changed, so that the bot and the command may write at the same time.
 */
export function openPins({ file, now }: { readonly file: string; readonly now: () => number }): Pins {
  let read = { mark: '', pins: new Map<string, Pin>() };

  /** Reads the file again if it has changed, because another process may have written. */
  const current = (): ReadonlyMap<string, Pin> => {
    const mark = markOf(file);
    if (mark !== read.mark) read = { mark, pins: fold(file) };
    return read.pins;
  };
  const write = (lines: readonly z.input<typeof Line>[]): void => {
    if (lines.length === 0) return;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    appendFileSync(file, text, { mode: 0o600, flush: true });
  };
  const at = () => new Date(now()).toISOString();

  const pins: Pins = {
    see: (seen) => {
      const known = current();
      const looks = seen.map((each) => ({ each, ...look(known.get(keyOf(each)), each) }));
      write(looks.flatMap(({ each, news }) => (news === undefined ? [] : [{ type: news, at: at(), ...each }])));
      return looks.map(({ standing, allowed }) => ({ standing, allowed }));
    },
    allow: (name, hashStart = '') => {
      const pin = pins.all().find((each) => each.name === name);
      if (pin === undefined || !pin.hash.startsWith(hashStart)) return undefined;
      const { server, tool, hash, definition } = pin;
      if (pin.changes > 0) write([{ type: 'allowed', at: at(), server, tool, name, hash, definition }]);
      return current().get(keyOf(pin));
    },
    version: () => markOf(file),
    all: () => [...current().values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  // A fault in the file stops the start.
  current();
  return pins;
}

function look(pin: Pin | undefined, { hash, definition }: Seen): ComparedPin & { readonly news?: 'pinned' | 'seen' } {
  if (pin === undefined) return { standing: 'as-pinned', allowed: definition, news: 'pinned' };
  const allowed = pin.allowed.definition;
  const standing = pin.allowed.hash === hash ? 'as-pinned' : 'changed';
  if (pin.hash === hash) return { standing, allowed };
  return pin.changes < SERVER_LIMITS.changesKept
    ? { standing, allowed, news: 'seen' }
    : { standing: 'changes-too-often', allowed };
}

const JsonValue = z.custom<Json>((value) => value !== undefined);

const Line = z.object({
  type: z.enum(['pinned', 'seen', 'allowed']),
  at: z.string(),
  server: z.string(),
  tool: z.string(),
  name: z.string(),
  hash: z.string(),
  definition: JsonValue,
});

function fold(file: string): Map<string, Pin> {
  const pins = new Map<string, Pin>();
  if (!existsSync(file)) return pins;
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (text === '') continue;
    const { type, at, ...seen } = parseLine(text, `${file}:${index + 1}`);
    const before = pins.get(keyOf(seen));
    const allowed = { hash: seen.hash, definition: seen.definition, at };
    if (before === undefined || type === 'allowed') pins.set(keyOf(seen), { ...seen, allowed, changes: 0 });
    // Two processes may both pin a new tool. The earlier pin stands.
    else if (before.hash !== seen.hash)
      pins.set(keyOf(seen), { ...seen, allowed: before.allowed, changes: before.changes + 1 });
  }
  return pins;
}

function parseLine(text: string, place: string): z.output<typeof Line> {
  try {
    return Line.parse(JSON.parse(text));
    // The line was damaged or edited by hand. The operator hears which line it is and what to do.
  } catch (cause) {
    throw new PinsFileError(
      `${place}: is not a pin. Correct the line; if you remove it, its tool counts as seen for the first time.`,
      { cause },
    );
  }
}

function keyOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return JSON.stringify([server, tool]);
}

function markOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}/${stat.size}/${stat.mtimeMs}`;
}
