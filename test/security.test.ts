import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { THREATS } from './ids/threats.ts';
import { sources } from './support/imports.ts';

const page = readFileSync('SECURITY.md', 'utf8');
const promises = [...page.matchAll(/^\| ([^|]+) \| `(test\/[^`]+)` ([^|]+) \|$/gm)].map(
  ([, promise = '', file = '', title = '']) => ({ promise, file, title: title.trim() }),
);

describe('SECURITY.md', () => {
  it('promises something', () => {
    expect(promises.length).toBeGreaterThan(10);
  });

  it.each(promises)('names a test that exists: $promise', ({ file, title }) => {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(title);
  });

  it('has an answer to each threat of test/ids/threats.ts, and to no other', () => {
    const answered = [...page.matchAll(/^\| (T\d+) \|/gm)].map(([, id]) => id);
    expect(answered).toEqual(Object.keys(THREATS));
  });
});

describe('code of a deployment (T23)', () => {
  const bot = sources().filter(({ path }) => /^(app|handlers|interventions)\//.test(path));
  const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

  it('is loaded by one function, which only the configuration file and the folder it names reach', () => {
    const loading = bot.filter(({ text }) => /\bimport\((?!['"])|\brequire\(|createRequire/.test(code(text)));
    const asking = bot.filter(({ text }) => /\bimportFile\(/.test(code(text)));

    expect(loading.map(({ path }) => path)).toEqual(['app/tools/folder/import-file.ts']);
    expect(new Set(asking.map(({ path }) => path))).toEqual(
      new Set(['app/config/file.ts', 'app/tools/folder/import-file.ts', 'app/tools/folder/folder.ts']),
    );
  });

  it('is never made of text', () => {
    expect(
      bot.filter(({ text }) => /\beval\(|new Function\(|node:vm/.test(code(text))).map(({ path }) => path),
    ).toEqual([]);
  });
});
