import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../../interventions/index.ts';
import { SERVER_LIMITS } from './limits.ts';

/** Whether a tool is what it was when somebody last said that it may be. */
export type PinStanding = 'as-pinned' | 'changed' | 'changes-too-often';

export interface Seen {
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  /** As the model and people call it. */
  readonly name: string;
  readonly hash: string;
  readonly definition: Json;
}

export interface Pin extends Seen {
  /** What may be: seen first, or allowed since. */
  readonly allowed: { readonly hash: string; readonly definition: Json; readonly at: string };
  /** How many other definitions it has had since. */
  readonly changes: number;
}

export interface PinLook {
  readonly standing: PinStanding;
  /** What was pinned or allowed: the seen definition itself, unless it has changed. */
  readonly allowed: Json;
}

export interface Pins {
  /** Compares tools with their pins, and writes down what is new before it answers. Seen for the first time: pinned. */
  readonly see: (seen: readonly Seen[]) => readonly PinLook[];
  /** Says yes to a tool as it was last seen. Undefined: there is none, or it was last seen with another hash. */
  readonly allow: (name: string, hashStart?: string) => Pin | undefined;
  readonly all: () => readonly Pin[];
  /** Another text whenever the file is another. */
  readonly version: () => string;
}

/** In DATA_DIR. */
export const PINS_FILE = 'mcp-pins.jsonl';

/** The file of pins cannot be used. Guessing would take a tool that was changed for a new one. */
export class PinsFileError extends Error {
  override readonly name = 'PinsFileError';
}

/**
 * What tools of servers looked like when they were first seen or last allowed: one line for each thing that happened,
 * only ever added to, so that the bot and the command may write at the same time.
 */
export function openPins({ file, now }: { readonly file: string; readonly now: () => number }): Pins {
  let read = { mark: '', pins: new Map<string, Pin>() };

  /** Another process may have written: what counts is what the file says. */
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
  // Whatever is wrong with the file is said at start.
  current();
  return pins;
}

function look(pin: Pin | undefined, { hash, definition }: Seen): PinLook & { readonly news?: 'pinned' | 'seen' } {
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
    // Two processes may see a tool first: what the earlier one pinned stands.
    else if (before.hash !== seen.hash)
      pins.set(keyOf(seen), { ...seen, allowed: before.allowed, changes: before.changes + 1 });
  }
  return pins;
}

function parseLine(text: string, place: string): z.output<typeof Line> {
  try {
    return Line.parse(JSON.parse(text));
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
