import { describe, expect, it } from 'vitest';
import { findCircle, forbiddenImports, impurity, MAY_IMPORT, ruleOf, sources } from './support/imports.ts';

const files = sources();
const core = files.filter(({ path }) => path.startsWith('interventions/') && path !== 'interventions/terminal.ts');

describe('the import rule', () => {
  it.each(files)('$path imports only what it may', (file) => {
    expect(ruleOf(file.path)).toBeDefined();
    expect(forbiddenImports(file)).toEqual([]);
  });

  it.each(Object.keys(MAY_IMPORT))('catches a violation planted under %s', (rule) => {
    const path = rule.endsWith('.ts') ? rule : `${rule}${rule.endsWith('/') ? '' : '-'}planted.ts`;
    const up = '../'.repeat(path.split('/').length - 1);
    const beyond = /^(sandbox|bench)\//.test(path) ? 'app/build.ts' : 'sandbox/server.ts';
    const planted = ['left-pad', '#app/main', `${up}${beyond}`];

    for (const target of planted) {
      expect(forbiddenImports({ path, text: `import { it } from '${target}';` })).toHaveLength(1);
      expect(forbiddenImports({ path, text: `const it = await import('${target}');` })).toHaveLength(1);
      expect(forbiddenImports({ path, text: `export * from '${target}';` })).toHaveLength(1);
    }
  });

  it.each([
    ['the core', 'interventions/planted.ts', "import type { Tool } from '../app/tools/tool.ts';"],
    ['a view', 'handlers/views/planted.ts', "import { WebClient } from '@slack/web-api';"],
    ['a handler', 'handlers/planted.ts', "import { openStore } from '../app/store/open.ts';"],
    ['the journal', 'app/journal/planted.ts', "import { Redis } from 'ioredis';"],
    ['the loop', 'app/agent/planted.ts', "import Anthropic from '@anthropic-ai/sdk';"],
    ['the SQLite engine', 'app/store/sqlite/planted.ts', "import { Redis } from 'ioredis';"],
    ['a run', 'app/runs/planted.ts', "import { App } from '@slack/bolt';"],
    ['the sandbox', 'sandbox/planted.ts', "import { threadKey } from '../app/records/index.ts';"],
    ['a file of the app', 'app/planted.ts', "import { build } from './build.ts';"],
    [
      'a file that bypasses the index of the library',
      'app/planted.ts',
      "import { fold } from '../interventions/pipeline/pipeline.ts';",
    ],
  ])('keeps %s from reaching too far', (_who, path, text) => {
    expect(forbiddenImports({ path, text })).toHaveLength(1);
  });

  it('answers a forbidden import with the row that decides, the reason and the remedy', () => {
    const text = "import { App } from '@slack/bolt';";

    expect(forbiddenImports({ path: 'app/journal/planted.ts', text })).toEqual([
      expect.stringMatching(
        /^app\/journal\/planted\.ts imports @slack\/bolt, which the row 'app\/journal\/' .* list it/,
      ),
    ]);
    expect(forbiddenImports({ path: 'attic/planted.ts', text })).toEqual([
      expect.stringMatching(/no row of MAY_IMPORT is about attic\/planted\.ts\. Give its room a row\.$/),
    ]);
  });

  it('lets types be imported from anywhere but into the core', () => {
    const text = "import type { App } from '@slack/bolt';";

    expect(forbiddenImports({ path: 'app/runs/runs.ts', text })).toEqual([]);
    expect(forbiddenImports({ path: 'interventions/actions.ts', text })).toHaveLength(1);
  });

  it('allows no circle, and would find one', () => {
    expect(findCircle(files)).toEqual([]);

    const circle = findCircle([
      { path: 'app/a.ts', text: "import { b } from './b.ts';" },
      { path: 'app/b.ts', text: "import { a } from './a.ts';" },
    ]);
    expect(circle).toEqual(['app/a.ts', 'app/b.ts', 'app/a.ts']);
  });
});

describe('the core', () => {
  it.each(core)('$path reads no clock, no randomness and nothing of the outside world', (file) => {
    expect(impurity(file)).toBeUndefined();
  });

  it.each(['Date.now()', 'Math.random()', 'process.env', 'console.log()', 'setTimeout(f)', 'fetch(url)'])(
    'would not pass with %s',
    (code) => {
      expect(impurity({ path: 'interventions/planted.ts', text: `export const it = ${code};` })).toBeDefined();
    },
  );
});

describe('single places in the code', () => {
  const holders = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  it('only one function decides, and no other code writes a decision (P40)', () => {
    expect(holders(/type: 'call-decided'/)).toEqual(['app/journal/decide/decide.ts']);
    expect(holders(/\bdecidePress\(/).filter((path) => path !== 'app/journal/decide/decide.ts')).toEqual([
      'app/approvals/deciding.ts',
    ]);
  });

  it('only one place starts a tool, behind the append that checks its grant (P45)', () => {
    expect(holders(/type: 'call-started'/)).toEqual(['app/journal/decide/start.ts']);
    expect(holders(/\bdecideStart\(/).filter((path) => path !== 'app/journal/decide/start.ts')).toEqual([
      'app/runs/gate/tool-runner.ts',
    ]);
    const importers = holders(/import \{[^}]*\brunTool\b[^}]*\} from/).filter((path) => !path.startsWith('app/tools/'));
    expect(importers).toEqual(['app/runs/gate/tool-runner.ts']);
  });

  it('the environment is read only where a process begins', () => {
    const readers = holders(/process\.env\b/).filter((path) => path.startsWith('app/') || path.startsWith('handlers/'));

    expect(new Set(readers)).toEqual(
      new Set([
        'app/commands/audit-main.ts',
        'app/commands/keys-main.ts',
        'app/main.ts',
        'app/commands/tools-main.ts',
        'app/commands/policy-main.ts',
      ]),
    );
  });

  it('the bot knows nothing of the sandbox', () => {
    const bot = files.filter(({ path }) => !/^(sandbox|bench|example)\//.test(path));

    expect(bot.filter(({ text }) => /sandbox/i.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
