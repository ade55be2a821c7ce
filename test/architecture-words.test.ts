import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROWS_OF_THE_GLOSSARY, wordLists, wordProblems } from './support/glossary.ts';
import { product } from './support/house.ts';

const PAGE = readFileSync('ARCHITECTURE.md', 'utf8');

describe('the glossary of ARCHITECTURE.md', () => {
  it('explains at most 45 words, in three lists', () => {
    const lists = wordLists(PAGE);
    const words = lists.flatMap(({ rows }) => rows);

    expect(lists.map(({ rows }) => rows.length > 0)).toEqual([true, true, true]);
    expect(
      words.length,
      'ARCHITECTURE.md has too many words of our own. Use a plain word instead, or merge rows of one concept.',
    ).toBeLessThanOrEqual(ROWS_OF_THE_GLOSSARY);
  });

  it('names for each word an exported name that carries it, in the folders of its list', () => {
    expect(wordProblems(PAGE, product())).toEqual([]);
  });

  it('reports a word that the code does not use, one that is listed twice, and a row that it cannot read', () => {
    const page = [
      '',
      '## Our words',
      '**The hall** (`app/hall/`)',
      '| **chair** | A seat. | `Chair` |',
      '| **stool** | A seat. | `Chair` |',
      '| **table** | A board. | `Table` |',
      '| **chair** | A seat again. | `Chair` |',
      '| **lamp** | A light. |',
    ].join('\n');
    const hall = { path: 'app/hall/chair.ts', text: 'export interface Chair {}\n' };
    const elsewhere = { path: 'app/table.ts', text: 'export interface Table {}\n' };

    expect(wordProblems(page, [hall, elsewhere])).toEqual([
      expect.stringMatching(/^lamp: is no row .* Write it so\.$/),
      expect.stringMatching(/^chair: has two rows\. Merge/),
      expect.stringMatching(/^stool: its name in the code is Chair, .* remove the row\.$/),
      expect.stringMatching(/^table: no file of app\/hall\/ exports Table\. .* remove the row\.$/),
    ]);
  });
});
