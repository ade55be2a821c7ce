import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const ID = String.raw`[A-Z]+-?\d+[a-z]?`;
const AT_THE_END = new RegExp(String.raw`\((${ID}(?:, ${ID})*)\)$`);

const Listed = z.array(z.object({ name: z.string(), file: z.string() }));

/** The ids at the end of a text, in brackets. */
export function idsAtTheEnd(text: string): readonly string[] {
  return AT_THE_END.exec(text)?.[1]?.split(', ') ?? [];
}

/** The titles that cite each id: that of a test, and those of the blocks around it. */
export type TitlesOfIds = ReadonlyMap<string, readonly string[]>;

/** Asks vitest for every test, so titles of tables and templates stand there as they are printed. No test runs. */
export async function titlesOfIds(): Promise<TitlesOfIds> {
  const titles = new Map<string, string[]>();
  for (const { name } of await listedTests()) {
    const ids = new Set(name.split(' > ').flatMap(idsAtTheEnd));
    for (const id of ids) titles.set(id, [...(titles.get(id) ?? []), name]);
  }
  return titles;
}

async function listedTests(): Promise<z.infer<typeof Listed>> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-titles-'));
  const file = join(folder, 'titles.json');
  try {
    const vitest = ['node_modules/vitest/vitest.mjs', 'list', '--no-static-parse', '--no-isolate'];
    // The tests of *reference* are those of *pure* under another profile.
    const what = ['--project', '!reference', `--json=${file}`];
    await promisify(execFile)(process.execPath, [...vitest, ...what], { env: environment() });
    return Listed.parse(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tables are listed whole. A vitest that runs this one says nothing to the one that lists. */
function environment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'TEST');
  return { ...Object.fromEntries(ours), NODE_ENV: 'test', PROVE: '1' };
}
