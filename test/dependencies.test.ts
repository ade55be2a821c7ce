import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const Dependencies = z.object({ dependencies: z.record(z.string(), z.string()) });

it('@opentelemetry/api may be the 1.9 that the current tracing SDK needs (MF-15)', () => {
  const { dependencies } = Dependencies.parse(read('package.json'));
  const locked = z.object({ packages: z.object({ '': Dependencies }) }).parse(read('package-lock.json'));

  expect(dependencies['@opentelemetry/api']).toBe('>=1.9 <2');
  expect(locked.packages[''].dependencies).toEqual(dependencies);
});

it('no package of production brings a Node, which its lock file would not know (EDGE-10)', () => {
  const Locked = z.object({ dev: z.boolean().optional(), bin: z.record(z.string(), z.string()).optional() });
  const { packages } = z.object({ packages: z.record(z.string(), Locked) }).parse(read('package-lock.json'));
  const bringing = Object.entries(packages).filter(([, { bin }]) => bin !== undefined && 'node' in bin);

  expect(bringing.map(([path, { dev }]) => ({ path, dev }))).toEqual([{ path: 'node_modules/node', dev: true }]);
});

it('no package of production may run a program when it is installed, which could bring what the lock file does not know (EDGE-10)', () => {
  const Locked = z.object({ dev: z.boolean().optional(), hasInstallScript: z.boolean().optional() });
  const { packages } = z.object({ packages: z.record(z.string(), Locked) }).parse(read('package-lock.json'));
  const { allowScripts } = z.object({ allowScripts: z.record(z.string(), z.boolean()) }).parse(read('package.json'));
  const installing = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);

  const names = installing.map(([path]) => path.replace(/.*node_modules\//, ''));
  expect(names).toEqual(['msgpackr-extract']);
  expect(names.filter((name) => allowScripts[name] !== false)).toEqual([]);
});
