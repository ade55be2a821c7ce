import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Figure, median } from './measure.ts';
import type { Part } from './rounds.ts';

/** Processor time in a fresh process. A busy machine stretches it less than wall-clock time. */
const SCRIPT = `
  const before = process.cpuUsage();
  await import(process.argv[1]);
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1000);
`;
const TIMES = 9;

function milliseconds(file: string, env: Readonly<Record<string, string>> = {}): number {
  const once = (): number => {
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT, resolve(file)], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    if (child.status !== 0)
      throw new Error(`${file} could not be loaded. Fix its error and run again: ${child.stderr}`);
    return Number(child.stdout);
  };
  // The first load fills the caches of the machine and of Node.
  once();
  return median(Array.from({ length: TIMES }, once));
}

export const loadPart: Part = { title: 'Loading', open: async () => ({ figures: loadFigures }) };

function loadFigures(): readonly Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const cache = { NODE_COMPILE_CACHE: join(folder, 'cache') };
    const built = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8' });
    if (built.status !== 0)
      throw new Error(`The library could not be built. Fix \`npm run build\` first: ${built.stderr}`);
    return [
      {
        what: 'loading interventions/ as it is built',
        value: milliseconds('dist/interventions/index.js'),
        unit: 'ms',
        target: 10,
      },
      {
        what: 'the same as it is written, types removed while loading',
        value: milliseconds('interventions/index.ts'),
        unit: 'ms',
      },
      { what: 'the same with NODE_COMPILE_CACHE', value: milliseconds('interventions/index.ts', cache), unit: 'ms' },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
