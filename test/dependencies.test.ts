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
