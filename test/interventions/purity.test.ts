import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';

/** The terminal prompt is the one exception: it stands alone, and is loaded only when `ask: 'stdio'` is chosen. */
const TERMINAL = 'interventions/terminal.ts';
const files = readdirSync('interventions', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => posix.join('interventions', name));
const read = (file: string) => readFileSync(join(file), 'utf8');

it.each(files.filter((file) => file !== TERMINAL))(
  '%s reads no clock, no timer, no randomness and nothing of the outside world',
  (file) => {
    expect(read(file)).not.toMatch(
      /\b(process|console|fetch|setTimeout|setInterval|setImmediate|Date\.now|new Date\(\)|Math\.random|crypto|performance)\b/,
    );
  },
);

it.each(files.filter((file) => file !== TERMINAL))('%s imports nothing but its neighbours', (file) => {
  const targets = [...read(file).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, path = '']) =>
    path.startsWith('.') ? posix.join(posix.dirname(file), path) : path,
  );

  expect(targets.filter((target) => !target.startsWith('interventions/'))).toEqual([]);
});

it('no file loads the terminal before a caller chooses it', () => {
  const loading = files.filter((file) => read(file).includes('terminal.ts'));

  expect(loading).toEqual(['interventions/human-in-the-loop/human-in-the-loop.ts']);
  expect(read('interventions/human-in-the-loop/human-in-the-loop.ts')).toContain("await import('../terminal.ts')");
});
