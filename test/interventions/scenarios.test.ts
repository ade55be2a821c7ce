import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Every scenario of the library, by group. A title of a test ends with the ids that it proves, in brackets. */
const SCENARIOS = { A: 6, M: 25, C: 13, E: 2, H: 20, I: 22, S: 10, K: 9, W: 6, U: 3 } as const;

const sources = ['test/interventions', 'test/app/agent']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('scenarios.test.ts'))
  .map((file) => readFileSync(file, 'utf8'));
/** The end of a title, and ids that a table of cases puts there. */
const proven = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/[('"`]((?:[A-Z]+-?\d+[a-z]?(?:, )?)+)\)?['"`]/g)].flatMap(([, ids = '']) => ids.split(', ')),
  ),
);
const ids = Object.entries(SCENARIOS).flatMap(([group, count]) =>
  Array.from({ length: count }, (_, index) => `${group}-${String(index + 1).padStart(2, '0')}`),
);

it.each(ids)('%s has a test', (id) => {
  expect(proven).toContain(id);
});
