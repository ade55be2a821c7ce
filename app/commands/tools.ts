import { canonical, type Json } from '../../interventions/index.ts';
import { isJsonObject, type JsonObject, type Pin, type Pins } from '../tools/mcp/index.ts';

/**
 * Runs `npm run tools`: lists the tools of servers, and allows one that has changed. Returns the exit code. A running bot
 * notices the change by itself.
 */
export function toolsCommand(
  args: readonly string[],
  { pins, write }: { readonly pins: Pins; readonly write: (line: string) => void },
): number {
  const [action, name, hash, ...rest] = args;
  if (action === 'list' && name === undefined) return list(pins, write);
  if (action === 'allow' && name !== undefined && rest.length === 0) return allow(pins, write, { name, hash });
  write('Usage: npm run tools -- list');
  write('       npm run tools -- allow <name> [hash]');
  return 2;
}

function list(pins: Pins, write: (line: string) => void): number {
  const all = pins.all();
  if (all.length === 0) write('No tool server has been seen yet: start the bot once.');
  for (const pin of all) {
    write(`${isChanged(pin) ? 'CHANGED' : 'allowed'}  ${pin.name}  ${short(pin.hash)}  since ${pin.allowed.at}`);
    if (isChanged(pin)) differences(pin, write);
  }
  return 0;
}

function allow(
  pins: Pins,
  write: (line: string) => void,
  { name, hash }: { readonly name: string; readonly hash: string | undefined },
): number {
  const before = pins.all().find((pin) => pin.name === name);
  if (before === undefined) {
    write(`There is no tool ${safe(name)}. Names are shown by: npm run tools -- list`);
    return 1;
  }
  if (pins.allow(name, hash) === undefined) {
    write(`${name} was last seen as ${short(before.hash)}, not as ${safe(hash ?? '')}. Look again, then decide.`);
    return 1;
  }
  if (isChanged(before)) differences(before, write);
  write(`${name} is allowed as ${short(before.hash)}. Trust in what it was before does not come back.`);
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
