import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const APP = join(import.meta.dirname, '../../../../app');
const app = (file: string) => JSON.stringify(pathToFileURL(join(APP, file)).href);

const folders: string[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-tools-'));
  folders.push(folder);
  mkdirSync(join(folder, 'tools'));
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

/** In a process of its own, as the bot does: Node itself reads the files. */
async function run(...script: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script.join('\n')]);
  return stdout.trim().replaceAll(`${folder}/`, '');
}

function load(): Promise<string> {
  return run(
    `import { loadConfigFile } from ${app('config/file.ts')};`,
    'try {',
    `  const { tools } = await loadConfigFile(undefined, { cwd: ${JSON.stringify(folder)}, now: Date.now });`,
    "  console.log(tools.map(({ name, effect }) => name + ' ' + effect).join());",
    "} catch (error) { console.log(error.name + ' ' + error.message); }",
  );
}

const tool = (name: string) =>
  `defineTool({ name: '${name}', description: 'Does it.', input: z.object({}), run: () => '' })`;

function write(name: string, ...lines: readonly string[]): void {
  const zod = JSON.stringify(import.meta.resolve('zod'));
  const imports = `import { defineConfig, defineTool } from ${app('index.ts')}; import { z } from ${zod};`;
  writeFileSync(join(folder, name), [imports, ...lines].join('\n'));
}

describe('a folder of tools', () => {
  it('beside the configuration is loaded, with each tool that its files export', async () => {
    write('tools/a.ts', `export const one: unknown = ${tool('one')};`, 'export const limit = 3;');
    write('tools/b.js', `export default [${tool('two')}, ${tool('three')}];`);
    write('tools/c.test.ts', 'throw new Error();');
    write('tools/_draft.ts', 'throw new Error();');

    expect(await load()).toMatch(/one asked,three asked,two asked$/);
  });

  it('may hold files for its other files, which export no tool', async () => {
    write('tools/a.ts', "import { named } from './named.ts';", "export const one = named('one');");
    write('tools/named.ts', 'export const named = (name: string) =>', `  ${tool('x').replace("'x'", 'name')};`);
    writeFileSync(
      join(folder, 'tools/types.ts'),
      '/*\nconst old = defineTool({});\n*/\nexport interface Order { id: string }',
    );

    expect(await load()).toMatch(/,one asked$/);
  });

  it('can have another name, and its tools follow the policy of the configuration', async () => {
    mkdirSync(join(folder, 'more'));
    write('more/a.ts', `export const one = ${tool('one')};`);
    write(
      'countersign.config.ts',
      "export default defineConfig({ toolsFolder: 'more', policy: { one: { effect: 'open', because: 'It reads.' } } });",
    );

    expect(await load()).toMatch(/one open$/);
  });

  it('that is named must exist', async () => {
    write('countersign.config.ts', "export default defineConfig({ toolsFolder: 'mroe' });");

    expect(await load()).toBe(
      'ToolFolderError mroe: there is no such folder. Correct toolsFolder in the configuration, or leave it out.',
    );
  });

  it('holds a tool once when the configuration names it as well', async () => {
    write('tools/a.ts', `export const one = ${tool('one')};`);
    write(
      'countersign.config.ts',
      "import { one } from './tools/a.ts';",
      'export default defineConfig({ tools: [one] });',
    );

    expect(await load()).toMatch(/,one asked$/);
  });

  it.each([
    ['syntax', ['', 'export const one = (;'], /^ToolFolderError tools\/a\.ts:3: cannot be loaded/],
    ['a throw', ['', "throw new Error('no');"], /^ToolFolderError tools\/a\.ts:3: cannot be loaded: no/],
    [
      'a bad definition',
      [`export const one = ${tool('a b')};`],
      /^ToolFolderError tools\/a\.ts:2: .*name must be 1 to/,
    ],
    [
      'something that is not a tool yet',
      ["export const one = { name: 'one', description: '', run: () => '' };"],
      /^ToolFolderError tools\/a\.ts: exports one, which is not a tool yet/,
    ],
    [
      'a tool that is not exported',
      [`const one: unknown = ${tool('one')};`, 'export const limit = 3;'],
      /^ToolFolderError tools\/a\.ts: defines a tool and exports none\. Write export in front of the tool, or move the file to another folder\.$/,
    ],
  ])('with %s in a file stops the start with the file and the line', async (_what, lines, message) => {
    write('tools/a.ts', ...lines);

    expect(await load()).toMatch(message);
  });

  it('with two tools of one name stops the start, and the error names both files', async () => {
    write('tools/a.ts', `export const one = ${tool('one')};`);
    write('tools/b.ts', `export const one = ${tool('one')};`);

    expect(await load()).toBe(
      'ToolFolderError tools/b.ts: tool "one" is defined twice: tools/a.ts has one of this name too. Rename one of them.',
    );
  });

  it('loads a changed file again while it is watched, and keeps the former tools of a broken one', async () => {
    write('tools/a.ts', `export const one = ${tool('one')};`);
    write('good.ts', `export const one = ${tool('two')};`);

    const seen = await run(
      `import { loadToolFolder } from ${app('tools/folder/folder.ts')};`,
      `import { watchToolFolder } from ${app('tools/folder/watch.ts')};`,
      "import { copyFileSync, writeFileSync } from 'node:fs';",
      `const folder = ${JSON.stringify(join(folder, 'tools'))};`,
      'let happened = () => {};',
      'const next = () => new Promise((resolve) => { happened = resolve; });',
      'const names = (tools) => tools.map(({ tool }) => tool.name).join();',
      'const loaded = await loadToolFolder(folder);',
      "const log = { info: () => {}, error: (text, { error }) => { console.log(error.message.split('\\n')[0]); happened(); } };",
      'const onChange = (tools) => { console.log(names(tools)); happened(); };',
      'const watcher = await watchToolFolder({ folder, loaded, log, onChange });',
      'console.log(names(loaded));',
      'let changed = next();',
      "writeFileSync(folder + '/a.ts', '\\n\\nexport const one = (;');",
      'await changed; changed = next();',
      `copyFileSync(${JSON.stringify(join(folder, 'good.ts'))}, folder + '/a.ts');`,
      'await changed;',
      'watcher.close();',
    );

    expect(seen.split('\n')).toEqual(['one', expect.stringMatching(/^tools\/a\.ts:3: cannot be loaded/), 'two']);
  });
});
