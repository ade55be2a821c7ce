import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('./', import.meta.url);
const SCENARIOS = Array.from({ length: 12 }, (_, index) => `G-${String(index + 1).padStart(2, '0')}`);

it('every scenario of the agent has a test whose title begins with its id', () => {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  // A title comes right after the call that names it, also when a table is in between.
  const titles = sources.flatMap((source) => [...source.matchAll(/(?:\bit|\))\(\s*[`'"](G-\d\d)\b/g)]);
  const proved = new Set(titles.map(([, id]) => id));

  expect(SCENARIOS.filter((id) => !proved.has(id))).toEqual([]);
});
