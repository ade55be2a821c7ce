import { canonical, type Json } from '../../interventions/index.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Pin, Pins } from '../tools/mcp/index.ts';
import { unknownCommand } from './options.ts';

export const USAGE = `Usage: npm run tools -- list
       npm run tools -- allow <name> [hash]
`;

const TO_SEE_NAMES = 'To see the names: npm run tools -- list';

export type ToolsWish =
  | { readonly action: 'list' }
  | { readonly action: 'allow'; readonly name: string; readonly hash: string | undefined };

/** Returns a sentence if the arguments cannot be used. */
export function readToolsWish([action, name, hash, ...rest]: readonly string[]): ToolsWish | string {
  if (action === 'list') return name === undefined ? { action } : `list takes no arguments: ${name} is too much.`;
  if (action !== 'allow') return unknownCommand(action, USAGE);
  if (name === undefined) return `allow needs the name of a tool. ${TO_SEE_NAMES}`;
  return rest.length === 0
    ? { action, name, hash }
    : `allow takes one tool and one hash: ${rest.join(' ')} is too much.`;
}

/**
 * Runs `npm run tools`: lists the tools of servers, and allows one that has changed, for all replicas. Returns the exit code.
 * Running bots notice the change by themselves.
 */
export async function toolsCommand(
  wish: ToolsWish,
  {
    pins,
    write,
    say,
  }: { readonly pins: Pins; readonly write: (line: string) => void; readonly say: (line: string) => void },
): Promise<number> {
  return wish.action === 'list' ? list(pins, write) : allow(pins, { write, say }, wish);
}

async function list(pins: Pins, write: (line: string) => void): Promise<number> {
  const all = await pins.all();
  if (all.length === 0)
    write('The bot has not seen a tool of a server yet. Start it once with toolServers in its configuration.');
  for (const pin of all) {
    write(`${isChanged(pin) ? 'CHANGED' : 'allowed'}  ${pin.name}  ${short(pin.hash)}  since ${pin.allowed.at}`);
    if (isChanged(pin)) differences(pin, write);
  }
  return 0;
}

async function allow(
  pins: Pins,
  { write, say }: Record<'write' | 'say', (line: string) => void>,
  { name, hash }: Extract<ToolsWish, { action: 'allow' }>,
): Promise<number> {
  const find = async () => (await pins.all()).find((pin) => pin.name === name);
  const before = await find();
  if (before === undefined) {
    say(`No tool is called ${safe(name)}. ${TO_SEE_NAMES}`);
    return 1;
  }
  // Without a hash it is what is shown here that is allowed, and no later definition.
  if ((await pins.allow(name, hash ?? before.hash)) === undefined) {
    const now = short((await find())?.hash ?? '');
    say(
      `${name} now has the hash ${now}, not ${safe(hash ?? short(before.hash))}. Look at it with npm run tools -- list, then decide.`,
    );
    return 1;
  }
  if (isChanged(before)) differences(before, write);
  write(`${name} is allowed with the hash ${short(before.hash)}. Trust in its earlier version stays ended.`);
  return 0;
}

function isChanged(pin: Pin): boolean {
  return pin.hash !== pin.allowed.hash;
}

/** Writes each part that differs: as it was allowed, and as it is now. */
function differences({ definition, allowed }: Pin, write: (line: string) => void): void {
  const [before, after] = [partsOf(allowed.definition), partsOf(definition)];
  for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [was, is] = [canonical(before[key]), canonical(after[key])];
    if (was === is) continue;
    write(`    ${safe(key)}`);
    if (key in before) write(`      - ${safe(was)}`);
    if (key in after) write(`      + ${safe(is)}`);
  }
}

function partsOf(definition: Json): JsonObject {
  return isJsonObject(definition) ? definition : {};
}

function short(hash: string): string {
  return hash.slice(0, 8);
}

/** Escapes what a server wrote, so that it cannot move the cursor, colour the screen or hide a part of itself. */
function safe(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}
