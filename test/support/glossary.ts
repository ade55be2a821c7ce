import type { SourceFile } from './imports.ts';

/** The glossary of ARCHITECTURE.md, held against the sources. A finding names the row, the reason and the mend. */

export const ROWS_OF_THE_GLOSSARY = 45;

/** One list of the glossary and the folders whose words it explains. */
interface WordList {
  readonly title: string;
  readonly folders: readonly string[];
  readonly rows: readonly WordRow[];
}

interface WordRow {
  readonly word: string;
  /** The exported name that carries the word. */
  readonly name: string;
}

const LIST = /^\*\*([^*]+)\*\* \(([^)]+)\)$/gm;
const ROW = /^\| \*\*(.+?)\*\* \|.*\| `(\w+)` \|$/gm;
const ANY_ROW = /^\| \*\*(.+?)\*\* \|/gm;

export function wordLists(page: string): readonly WordList[] {
  const section = page.split('\n## Our words\n')[1]?.split('\n## ')[0] ?? '';
  const heads = [...section.matchAll(LIST)];
  return heads.map(({ index, 1: title = '', 2: folders = '' }, at) => ({
    title,
    folders: [...folders.matchAll(/`([\w/-]+\/)`/g)].map(([, folder = '']) => folder),
    rows: [...section.slice(index, heads[at + 1]?.index).matchAll(ROW)].map(([, word = '', name = '']) => ({
      word,
      name,
    })),
  }));
}

export function wordProblems(page: string, files: readonly SourceFile[]): readonly string[] {
  const lists = wordLists(page);
  const read = lists.flatMap(({ rows }) => rows.map(({ word }) => word));
  const written = [...page.matchAll(ANY_ROW)].map(([, word = '']) => word);
  return [
    ...written
      .filter((word) => !read.includes(word))
      .map((word) => `${word}: is no row “| **word** | meaning | \`name\` |” in a list of *Our words*. Write it so.`),
    ...read
      .filter((word, at) => read.indexOf(word) !== at)
      .map((word) => `${word}: has two rows. Merge them, or rename one concept in the code.`),
    ...lists.flatMap((list) => list.rows.flatMap((row) => rowProblems(row, list, files))),
  ];
}

function rowProblems({ word, name }: WordRow, { folders }: WordList, files: readonly SourceFile[]): readonly string[] {
  const joined = word.replaceAll(' ', '').toLowerCase();
  if (!name.toLowerCase().includes(joined))
    return [`${word}: its name in the code is ${name}, which lacks the word. Name one that has it, or remove the row.`];
  const declared = new RegExp(`^export (?:async |abstract )?(?:interface|type|const|class|function) ${name}\\b`, 'm');
  const isThere = files.some(({ path, text }) => folders.some((at) => path.startsWith(at)) && declared.test(text));
  return isThere
    ? []
    : [
        `${word}: no file of ${folders.join(' or ')} exports ${name}. Name what carries the word now, or remove the row.`,
      ];
}
