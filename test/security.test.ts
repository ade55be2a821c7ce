import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { THREATS } from './ids/threats.ts';
import { SABOTAGES } from './security/sabotage.ts';
import { sources } from './support/imports.ts';
import { promisesOf } from './support/promises.ts';
import { TAMPERINGS } from './support/tamperings.ts';

const page = readFileSync('SECURITY.md', 'utf8');
const promises = promisesOf(page);

describe('SECURITY.md', () => {
  it('promises something', () => {
    expect(promises.length).toBeGreaterThan(10);
  });

  it.each(promises)('names existing tests: $promise', ({ tests }) => {
    expect(tests).not.toEqual([]);
    for (const { file, title } of tests) {
      expect(existsSync(file), file).toBe(true);
      expect(readFileSync(file, 'utf8')).toContain(title);
    }
  });

  it('has a sabotage for every promise, and a promise for every sabotage', () => {
    const sabotaged = new Set(SABOTAGES.map(({ promise }) => promise));

    expect([...sabotaged].sort()).toEqual(promises.map(({ promise }) => promise).sort());
  });

  it('says of each tampering that a test tries whether verify finds it, and of no other (EDGE-2)', () => {
    const rows = [...page.matchAll(/^\| (.*) \| (finds it|finds it only with `--kept`|cannot find it) \|$/gm)];
    const said = (finds: (typeof TAMPERINGS)[number]['finds']) =>
      finds === undefined ? 'finds it only with `--kept`' : finds === 'never' ? 'cannot find it' : 'finds it';

    expect(rows.map(([, row, says]) => [row, says])).toEqual(TAMPERINGS.map(({ row, finds }) => [row, said(finds)]));
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
    const loading = bot.filter(({ text }) =>
      /\bimport\((?!\s*(['"])[^'"]*\1\s*\))|\brequire\(|createRequire/.test(code(text)),
    );
    const asking = bot.filter(({ text }) => /\bimportFile\(/.test(code(text)));

    expect(loading.map(({ path }) => path)).toEqual(['app/tools/folder/import-file.ts']);
    expect(new Set(asking.map(({ path }) => path))).toEqual(
      new Set(['app/config/file.ts', 'app/tools/folder/import-file.ts', 'app/tools/folder/folder.ts']),
    );
  });

  it('is run by no thread, process or loader of the bot, which could do so beside that function', () => {
    const loaders = /\bnode:(child_process|cluster|inspector|module|repl|sea|test|vm|wasi|worker_threads)\b/g;
    const found = bot.flatMap(({ path, text }) => (code(text).match(loaders) ?? []).map((name) => `${path} ${name}`));
    const hidden = bot.filter(({ text }) => /\b(dlopen|getBuiltinModule|process\.binding)\b/.test(code(text)));
    const workers = bot.filter(({ text }) => /\bnew Worker\b/.test(code(text)));

    // The first keeps what was compiled; the second only checks the syntax of a file that failed to load.
    expect(found).toEqual(['app/main.ts node:module', 'app/tools/folder/import-file.ts node:child_process']);
    expect(hidden.map(({ path }) => path)).toEqual([]);
    // A worker of BullMQ, whose work is a function. It would also take the name of a file.
    expect(workers.map(({ path }) => path)).toEqual(['app/work/redis.ts']);
    expect(workers.map(({ text }) => text)).toEqual([expect.stringMatching(/new Worker<ThreadKey>\(QUEUE, async \(/)]);
  });

  it('is never made from text', () => {
    expect(
      bot
        .filter(({ text }) => /\beval\(|(?<!\.)\bFunction\(|\.constructor\(|node:vm/.test(code(text)))
        .map(({ path }) => path),
    ).toEqual([]);
  });
});
