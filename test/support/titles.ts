import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const ID = String.raw`[A-Z]+-?\d+[a-z]?`;
const AT_THE_END = new RegExp(String.raw`\((${ID}(?:, ${ID})*)\)$`);

const Listed = z.array(z.object({ name: z.string() }));

/** The ids at the end of a text, in brackets. */
export function idsAtTheEnd(text: string): readonly string[] {
  return AT_THE_END.exec(text)?.[1]?.split(', ') ?? [];
}

/** The titles that cite each id: that of a test, and those of the blocks around it. */
export function titlesOfIds(all: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const title of all) {
    const ids = new Set(partsOf(title).flatMap(idsAtTheEnd));
    for (const id of ids) titles.set(id, [...(titles.get(id) ?? []), title]);
  }
  return titles;
}

/** What the blocks around a test and the test itself are called. */
export function partsOf(title: string): readonly string[] {
  return title.split(' > ');
}

/** Asks vitest for every test, so titles of tables and templates stand there as they are printed. No test runs. */
export async function allTitles(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-titles-'));
  const file = join(folder, 'titles.json');
  try {
    const vitest = [
      'node_modules/vitest/vitest.mjs',
      'list',
      '--no-static-parse',
      '--config=test/support/titles.config.ts',
    ];
    await promisify(execFile)(process.execPath, [...vitest, `--json=${file}`], { env: environment() });
    return Listed.parse(JSON.parse(readFileSync(file, 'utf8'))).map(({ name }) => name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tables are listed whole. A vitest that runs this one says nothing to the one that lists. */
function environment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'TEST');
  return { ...Object.fromEntries(ours), NODE_ENV: 'test', PROVE: '1', LISTS_TITLES: '1' };
}
