import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { type ESTree, Visitor } from 'rolldown/utils';
import { runtimeImports, type SourceFile, sources } from './imports.ts';

/** What the layout of the sources is held to. A finding names the file, the reason and the mend. */

const FILES_IN_A_FOLDER = 15;
const LINES_OF_A_FUNCTION = 80;
export const LINES_OF_MOST_FUNCTIONS = 30;

/** Timers and clocks are handed in; only these files read them from the platform. */
const READS_TIME = /^(app\/(time\/|clock\.ts|main\.ts)|sandbox\/|bench\/|example\/)/;

export const product = (): readonly SourceFile[] =>
  sources().filter(({ path }) => /^(app|handlers|interventions|sandbox)\//.test(path));

export function crowdedFolders(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > FILES_IN_A_FOLDER)
    .map(
      ([folder, count]) =>
        `${folder}: ${count} files lie directly in it, ${FILES_IN_A_FOLDER} are allowed. Move those of one subject into a room of their own.`,
    );
}

/** Imports that step over the door of a room: a folder with an `index.ts` is reached through it. */
export function besideTheDoor(files: readonly SourceFile[]): readonly string[] {
  const rooms = new Set(files.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => posix.dirname(path)));
  return files.flatMap((file) =>
    relativeImports(file).flatMap((target) => {
      if (target.endsWith('/index.ts')) return [];
      const room = doorsBetween(file.path, target).find((folder) => rooms.has(folder));
      if (room === undefined) return [];
      return [
        `${file.path}: imports ${target}, past the door of its room. Import ${room}/index.ts, and export there what is missing.`,
      ];
    }),
  );
}

/** Folders around the target that the importing file is not in, the outermost first. */
function doorsBetween(from: string, target: string): readonly string[] {
  const parts = posix.dirname(target).split('/');
  return parts
    .map((_, depth) => parts.slice(0, depth + 1).join('/'))
    .filter((folder) => !OPEN.has(folder) && !from.startsWith(`${folder}/`));
}

/** Folders that hold rooms: each room in them has a door of its own. */
const OPEN = new Set(['app', 'handlers', 'sandbox', 'bench', 'example']);

const IMPORT = /^(?:import|export)\b[^;']*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

function relativeImports({ path, text }: SourceFile): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, fixed, lazy]) => posix.join(posix.dirname(path), fixed ?? lazy ?? ''));
}

export function timeReaders(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => !READS_TIME.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\b(setTimeout|setInterval|Date\.now)\b/g)].map(
        ([, word]) => `${path}: uses ${word}. Take a clock or timers as an argument, or a piece of app/time.`,
      ),
    );
}

/** Type names that two files export: a reader of one would take it for the other. */
export function sharedTypeNames(files: readonly SourceFile[]): readonly string[] {
  const homes = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const [, name = ''] of text.matchAll(/^export (?:interface|type) (\w+)/gm))
      homes.set(name, [...(homes.get(name) ?? []), path]);
  return [...homes]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: exported by ${paths.join(' and ')}. Give all but one a name that says more.`);
}

export interface FunctionLength {
  readonly path: string;
  readonly line: number;
  readonly lines: number;
}

/** Every function, as the parser of the bundler sees it. */
export function functionLengths({ path, text }: SourceFile): readonly FunctionLength[] {
  const starts = lineStarts(text);
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset) + 1;
  const found: FunctionLength[] = [];
  walk(parseAst(text, { lang: 'ts' }), ({ start, end }) => {
    found.push({ path, line: lineAt(start), lines: lineAt(end) - lineAt(start) + 1 });
  });
  return found;
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function walk(node: unknown, onFunction: (span: Span) => void): void {
  if (Array.isArray(node)) for (const inner of node) walk(inner, onFunction);
  else if (typeof node === 'object' && node !== null) {
    if (isFunction(node)) onFunction(node);
    for (const inner of Object.values(node)) walk(inner, onFunction);
  }
}

function isFunction(node: object): node is Span {
  const { type } = { type: undefined, ...node };
  return typeof type === 'string' && FUNCTIONS.has(type);
}

export function tooLong(lengths: readonly FunctionLength[]): readonly string[] {
  return lengths
    .filter(({ lines }) => lines > LINES_OF_A_FUNCTION)
    .map(
      ({ path, line, lines }) =>
        `${path}:${line}: a function of ${lines} lines, ${LINES_OF_A_FUNCTION} are allowed. Name its parts and lift them out.`,
    );
}

/** Catches after which no log and no caller hears of the failure: an empty block, or a handler that does nothing. */
export function swallowingCatches({ path, text }: SourceFile): readonly string[] {
  const starts: number[] = [];
  const visitor = new Visitor({
    CatchClause: ({ start, body }) => {
      if (body.body.length === 0) starts.push(start);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name, start } = callee.property;
      const handler = name === 'catch' ? given[0] : name === 'then' ? given[1] : undefined;
      if (handler !== undefined && doesNothing(handler)) starts.push(start);
    },
  });
  visitor.visit(parseAst(text, { lang: 'ts' }));
  return starts.map(
    (start) =>
      `${path}:${text.slice(0, start).split('\n').length}: this catch swallows the failure. Log it, return what says that it failed, or let it be thrown.`,
  );
}

function doesNothing(handler: ESTree.Argument): boolean {
  if (handler.type !== 'ArrowFunctionExpression' && handler.type !== 'FunctionExpression') return false;
  const { body } = handler;
  if (body?.type === 'BlockStatement') return body.body.length === 0;
  return body?.type === 'Identifier' && body.name === 'undefined';
}

/** The scripts of the sandbox's page. They are no modules of Node, so no import rule is about them. */
export const browserScripts = (): readonly SourceFile[] =>
  readdirSync('sandbox', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => posix.join('sandbox', name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Files that tests of other files use as well: time, words and doors. */
const COMMON = /(^|\/)index\.ts$|^app\/(clock|log|limits|step|surface)\.ts$/;

/** Unit tests that reach one source file and do not stand where that file stands. */
export function strayTests(tests: readonly SourceFile[]): readonly string[] {
  return tests.flatMap((test) => {
    const tested = new Set(
      runtimeImports(test).filter((target) => /^(app|handlers|interventions)\//.test(target) && !COMMON.test(target)),
    );
    const [source, second] = tested;
    if (source === undefined || second !== undefined || !isNamedAfter(test.path, source)) return [];
    const mirror = `test/${posix.dirname(source)}`;
    if (posix.dirname(test.path) === mirror) return [];
    return [`${test.path}: tests ${source} alone. Move it to ${mirror}/, where a reader of that file looks for it.`];
  });
}

/** Other tests reach a file only to set their stage. */
const isNamedAfter = (test: string, source: string): boolean =>
  posix.basename(test).startsWith(posix.basename(source, '.ts'));

export function unitTests(): readonly SourceFile[] {
  return ['app', 'handlers', 'interventions'].flatMap((folder) =>
    readdirSync(`test/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `test/${folder}/${name}`)
      .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  );
}
