import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import * as source from '../../interventions/index.ts';

describe('the library as it is built', () => {
  beforeAll(() => {
    const built = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
  });

  it('offers what the source offers, from one file that loads the terminal only when the caller chooses it', async () => {
    const built = await import(pathToFileURL(resolve('dist/interventions/index.js')).href);

    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
    expect(readdirSync('dist/interventions').filter((name) => name.endsWith('.js'))).toEqual([
      'index.js',
      'terminal.js',
    ]);
    expect(readFileSync('dist/interventions/index.js', 'utf8')).not.toMatch(/^import\b/m);
  });

  it('has types that refuse what the types of the source refuse', () => {
    const types = readFileSync('dist/interventions/pipeline/handler.d.ts', 'utf8');

    expect(types).toContain('export interface ConfirmingHandler');
    expect(readdirSync('dist/interventions')).toContain('index.d.ts');
  });
});
