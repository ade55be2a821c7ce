import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pictures } from './pictures.ts';

/** A name at the top of a view's file, and what it says that it is or gives back. */
interface Exported {
  readonly file: string;
  readonly name: string;
  readonly type: string;
}

const FOLDER = 'handlers/views';

/** Functions that wrap blocks of another function, which is in a picture itself. */
const FRAMES = ['forms/form.ts form', 'card/list/list.ts listView'];

function exported(file: string, source: string): readonly Exported[] {
  // A signature ends where its body begins, at the end of a line.
  const functions = source.matchAll(/^export (?:async )?function (\w+)[\s\S]*?\)(?:: ([^\n]+))? \{$/gm);
  const constants = source.matchAll(/^export const (\w+)([^\n]*)/gm);
  return [...functions, ...constants].map(([, name = '', type = '']) => ({ file, name, type }));
}

const views = (all: readonly Exported[]): readonly Exported[] =>
  all.filter(({ file, name, type }) => /View\b|typeof/.test(type) && !FRAMES.includes(`${file} ${name}`));

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const all = files.flatMap((file) => exported(file, readFileSync(`${FOLDER}/${file}`, 'utf8')));

describe('the pictures of what people see', () => {
  it('the pictures show every message, modal and page that a file of the views can draw (P8b)', async () => {
    const drawn = new Set(pictures().map(({ by }) => by));
    const missing = await Promise.all(
      views(all).map(async ({ file, name }) => {
        const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(join(FOLDER, file)).href);
        return drawn.has(module[name]) ? [] : [`${file} ${name}`];
      }),
    );

    expect(views(all).length).toBeGreaterThan(25);
    expect(missing.flat()).toEqual([]);
  });

  it.each([
    ['a function', 'export function noteView(text: string): MessageView {\n'],
    ['one of many lines', 'export function noteView(\n  { text }: Note,\n  at: number,\n): readonly MessageView[] {\n'],
    ['one that takes an object', 'export async function noteView({ text }: { text: string }): Promise<ModalView> {\n'],
    ['a constant', 'export const noteView: MessageView = {\n'],
    ['one that is a function', 'export const noteView = (text: string): HomeView => ({\n'],
  ])('the pictures find a view that is %s (P8b)', (_what, source) => {
    expect(views(exported('planted.ts', source)).map(({ name }) => name)).toEqual(['noteView']);
  });

  it('the pictures know the kind of everything in those files (P8b)', () => {
    const sources = files.map((file) => readFileSync(`${FOLDER}/${file}`, 'utf8'));
    const begun = sources.flatMap((source) => [...source.matchAll(/^export (?:async )?(?:function|const) /gm)]);

    expect(all.filter(({ type }) => type === '')).toEqual([]);
    expect(all).toHaveLength(begun.length);
  });

  it('the pictures of the pages in docs are among them', () => {
    const names = pictures().map(({ name }) => `${name}.png`);

    expect(readdirSync('docs/pictures').filter((file) => !names.includes(file))).toEqual([]);
  });

  it('the pictures have different names', () => {
    const names = pictures().map(({ name }) => name);

    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });
});
