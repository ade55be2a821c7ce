import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The pages in `docs/` about a subject each, in the order in which they link to each other. */
export const PAGES = ['configure', 'tools', 'policy', 'slack', 'first-day', 'run', 'audit', 'library'] as const;
export type Page = (typeof PAGES)[number];

export const textOf = (page: Page): string => readFileSync(`docs/${page}.md`, 'utf8');

/** A block of code of a page, by its language and its place among the blocks of that language. */
export function block(page: Page, language: string, index = 0): string {
  const blocks = [...textOf(page).matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, lang, code = '']) =>
    lang === language ? [code] : [],
  );
  const found = blocks[index];
  if (found === undefined) throw new Error(`docs/${page}.md has no block ${index} of ${language}. Add its example.`);
  return found;
}

/** Names in backticks in the first column of the tables of a text. */
export function firstColumn(text: string): readonly string[] {
  return [...text.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

export interface ExampleFolder {
  readonly path: string;
  /** Saves an example under the name that its page gives it, with its imports leading into the project. */
  readonly save: (name: string, code: string) => string;
  readonly remove: () => void;
}

/** Inside the project, where examples find its packages. */
export function exampleFolder(): ExampleFolder {
  mkdirSync('.data', { recursive: true });
  const path = resolve(mkdtempSync(join('.data', 'docs-')));
  return {
    path,
    save: (name, code) => {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        code.replaceAll(/'\.{1,2}\/(app|interventions)\//g, (_, room) => `'${resolve(room)}/`),
      );
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
