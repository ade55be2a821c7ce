import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError, checkOptions } from '../../../../interventions/index.ts';
import { readJson } from '../../../json.ts';
import { checkId, type Loaded, type SessionManager } from './session.ts';
import type { SessionEntry } from './session-entry.ts';
import { checkStored, StoredEntries } from './stored.ts';

export interface FileSessionOptions {
  /** Created when it is missing. */
  readonly directory: string;
  readonly sessionId: string;
}

/**
 * One file of JSON Lines for each agent: `<directory>/<sessionId>/<agentId>.jsonl`. A line is one append with its
 * number. Two processes may write the same number; every reader counts the line that came first.
 */
export function createFileSession(options: FileSessionOptions): SessionManager {
  checkOptions('createFileSession', options, { directory: 'a text', sessionId: true });
  const { directory, sessionId } = options;
  if (directory === undefined) throw new ConfigurationError('A session needs the directory of its files. Give one.');
  checkId('session', sessionId);
  const folder = join(directory, sessionId);
  const read = new Map<string, Read>();

  /** Reads only what is new since the last time. */
  async function readOn(agentId: string): Promise<readonly Line[]> {
    checkId('agent', agentId);
    const known = read.get(agentId) ?? { bytes: 0, lines: [] };
    read.set(agentId, known);
    const path = join(folder, `${agentId}.jsonl`);
    const position = known.bytes;
    const fresh = await bytesFrom(path, position);
    let from = 0;
    for (let end = fresh.indexOf(NEW_LINE); end >= 0; end = fresh.indexOf(NEW_LINE, from)) {
      take(known.lines, fresh.toString('utf8', from, end), path);
      from = end + 1;
    }
    known.bytes = Math.max(known.bytes, position + from);
    return known.lines;
  }

  return {
    load: async (agentId, after): Promise<Loaded> => {
      const lines = await readOn(agentId);
      return { version: lines.length, entries: lines.slice(after).flatMap(({ entries }) => entries) };
    },
    append: async (agentId, expectedVersion, entries) => {
      if ((await readOn(agentId)).length !== expectedVersion) return 'conflict';
      const line: Line = { v: 1, number: expectedVersion + 1, writer: randomUUID(), entries };
      await makeFolder(folder);
      await writeLine(join(folder, `${agentId}.jsonl`), line);
      return (await readOn(agentId))[expectedVersion]?.writer === line.writer ? 'appended' : 'conflict';
    },
  };
}

interface Line {
  readonly v: 1;
  /** Counts from 1. */
  readonly number: number;
  readonly writer: string;
  readonly entries: readonly SessionEntry[];
}

/** How far a file was read, and its lines. */
interface Read {
  bytes: number;
  readonly lines: Line[];
}

const NEW_LINE = 0x0a;

function take(lines: Line[], text: string, path: string): void {
  const line: unknown = readJson(text);
  // A process that died while writing leaves half a line. No caller was told that it was saved.
  if (line === undefined) return;
  const { v = 1, number = 0 } = (line ?? {}) as Partial<Line>;
  if (v !== 1) {
    throw new Error(`${path} was written by a newer version of this program (${v}). Update it, or move the file.`);
  }
  if (number > lines.length + 1) {
    throw new Error(
      `${path} lacks the line with number ${lines.length + 1}, so it is damaged. Restore it from a copy, or move it.`,
    );
  }
  checkStored(StoredLine, line, {
    what: `The line with number ${lines.length + 1} in ${path}`,
    next: 'It was edited, cut, or written by another version. Restore it from a copy, or move it.',
  });
  // The line of a writer that was too late.
  if (number > lines.length) lines.push(line as Line);
}

const StoredLine = z.object({ v: z.literal(1), number: z.number(), writer: z.string(), entries: StoredEntries });

async function bytesFrom(path: string, position: number): Promise<Buffer> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
    // A session without entries has no file. Any other failure goes to the caller.
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.max(size - position, 0));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Makes the folder and those above it. With `recursive`, Node's own function never returns where the system refuses a new folder
 * as if the one above it were missing, such as in `/proc`.
 */
async function makeFolder(folder: string): Promise<void> {
  const above = dirname(folder);
  if ((await madeOne(folder)) || above === folder) return;
  await makeFolder(above);
  if (!(await madeOne(folder))) await mkdir(folder);
}

/** Whether the folder is there now. False when the one above it is missing. */
async function madeOne(folder: string): Promise<boolean> {
  const [made] = await Promise.allSettled([mkdir(folder)]);
  // Another process may have made it since.
  if (made.status === 'fulfilled' || made.reason.code === 'EEXIST') return true;
  if (made.reason.code === 'ENOENT') return false;
  throw made.reason;
}

/** Appends on a new line, because the file may end in half a line. Readers skip empty lines. */
async function writeLine(path: string, line: Line): Promise<void> {
  const file = await open(path, 'a');
  try {
    await file.appendFile(`\n${JSON.stringify(line)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}
