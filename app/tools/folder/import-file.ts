import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorText } from '../../log.ts';
import { withLimit } from '../../time/index.ts';

export type Imported =
  | { readonly ok: true; readonly exports: Readonly<Record<string, unknown>> }
  /** `place` is a file, with the line if it is known. It may be another file than the requested one. */
  | { readonly ok: false; readonly place: string; readonly problem: string; readonly cause: unknown };

/**
 * Runs a file that a deployment wrote, and returns its exports. Node caches a file for ever, so another `version` reads it
 * again; the files that it imports stay cached.
 */
export async function importFile(file: string, version = 0, limitMs = LOADED_WITHIN_MS): Promise<Imported> {
  const { href } = pathToFileURL(file);
  try {
    const loading: Promise<Readonly<Record<string, unknown>>> = import(
      version === 0 ? href : `${href}?version=${version}`
    );
    const exports = await withLimit(loading, { ms: limitMs, late: undefined });
    const late = `it still awaits something after ${limitMs / 1_000} seconds`;
    return exports === undefined ? { ok: false, place: file, problem: late, cause: undefined } : { ok: true, exports };
    // The deployment's code may throw anything while it loads. The caller says where.
  } catch (cause) {
    return { ok: false, place: placeOf(cause, file) ?? file, problem: firstLines(cause), cause };
  }
}

/** A file may ask another service for what it needs. One that awaits what never comes would keep the bot from starting, unsaid. */
const LOADED_WITHIN_MS = 60_000;

/**
 * Where an error of loading came from. The stack of a syntax error begins with the file and the line. Any other error has
 * them in its first frame outside the bot and its packages.
 */
function placeOf(error: unknown, file: string): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const [first = '', ...frames] = error.stack.split('\n');
  const own = join(import.meta.dirname, '../..');
  const outside = frames.find(
    (frame) => /^\s+at /.test(frame) && !/node:|node_modules/.test(frame) && !frame.includes(own),
  );
  const syntax = error instanceof SyntaxError ? checked(file) : '';
  return [syntax.split('\n')[0] ?? '', first, outside ?? '']
    .map((line) => placeIn(line))
    .find((place) => place !== undefined)
    ?.replace(/\?version=\d+/, '');
}

/** The path and the line in which a line of a stack ends. The line is read a few times, however often it names a path. */
function placeIn(line: string): string | undefined {
  const plain = line.replaceAll('file://', '');
  const end = /(?<line>:\d+)(?::\d+)?\)?$/.exec(plain);
  if (end === null) return undefined;
  const before = plain.slice(0, end.index);
  const path = before.indexOf('/', Math.max(before.lastIndexOf('('), before.lastIndexOf(')')) + 1);
  return path === -1 ? undefined : `${before.slice(path)}${end.groups?.line}`;
}

/** Node prints the line of a JavaScript syntax error only when a process ends of it, so this starts such a process. */
function checked(file: string): string {
  return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 }).stderr;
}

/** What is wrong with a file that cannot be loaded. Its reader puts the place before it, and a full stop behind it. */
export function notLoaded({ problem }: Extract<Imported, { readonly ok: false }>): string {
  return `cannot be loaded: ${problem.replace(/\.$/, '')}. Correct the file`;
}

function firstLines(error: unknown): string {
  const text = errorText(error);
  return text.trim().split('\n').slice(0, 6).join('\n');
}
