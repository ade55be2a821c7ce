import { existsSync, readFileSync, renameSync } from 'node:fs';
import { z } from 'zod';
import type { Json } from '../../../interventions/index.ts';
import type { ToolPinned } from '../../journal/index.ts';
import type { Log } from '../../log.ts';
import type { PinsJournal } from '../../recorder/index.ts';

/** In DATA_DIR, where versions before 0.2 kept the pins. */
export const PINS_FILE = 'mcp-pins.jsonl';

/** The file of pins cannot be used. The bot does not guess, because it would take a changed tool for a new one. */
export class PinsFileError extends Error {
  override readonly name = 'PinsFileError';
}

/**
 * Moves the pins of an older version from their file into the store, once. The file is renamed behind that; a process that
 * dies in between moves no line twice.
 */
export async function movePinsFile(file: string, { settle }: PinsJournal, log: Log): Promise<void> {
  if (!existsSync(file)) return;
  const lines = readPins(file);
  await settle((facts) => {
    const known = new Set(facts.map(wordOf));
    return lines.filter((line) => !known.has(wordOf(line)));
  });
  const movedTo = `${file}.moved`;
  // Another process may share the folder, and may have moved the same lines meanwhile.
  if (existsSync(file)) renameSync(file, movedTo);
  log.info('The pins of tool servers are kept in the store now. Their file was renamed.', { movedTo });
}

const Line = z.object({
  type: z.enum(['pinned', 'seen', 'allowed']),
  at: z.iso.datetime(),
  server: z.string(),
  tool: z.string(),
  name: z.string(),
  hash: z.string(),
  definition: z.custom<Json>((value) => value !== undefined),
});

function readPins(file: string): readonly ToolPinned[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => (text === '' ? [] : [readPin(text, `${file}:${index + 1}`)]));
}

function readPin(text: string, place: string): ToolPinned {
  try {
    const { type: how, hash: toolHash, ...rest } = Line.parse(JSON.parse(text));
    return { type: 'tool-pinned', how, toolHash, ...rest };
    // The line was damaged or edited by hand. The operator hears which line it is and what to do.
  } catch (cause) {
    throw new PinsFileError(
      `${place}: is not a pin. Correct the line; if you remove it, its tool counts as seen for the first time.`,
      { cause },
    );
  }
}

function wordOf({ how, at, server, tool, toolHash }: ToolPinned): string {
  return JSON.stringify([how, at, server, tool, toolHash]);
}
