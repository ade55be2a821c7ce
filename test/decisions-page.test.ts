import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const PAGE = readFileSync('DECISIONS.md', 'utf8');
const MOST_ENTRIES = 60;
const MOST_WORDS = 6_000;

const entries = PAGE.split(/^### /m)
  .slice(1)
  .map((text) => ({ title: text.split('\n')[0] ?? '', text }));

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

it('the index of DECISIONS.md links each entry once, in the order of the page', () => {
  const linked = [...PAGE.matchAll(/^- \[(.+)\]\(#(\S+)\)$/gm)].map(([, title, anchor]) => ({ title, anchor }));

  expect(linked, 'Mend the index at the top of DECISIONS.md, which a reader starts from.').toEqual(
    entries.map(({ title }) => ({ title: title.replace(/ \(\d{4}-\d\d-\d\d\)$/, ''), anchor: anchorOf(title) })),
  );
});

it('DECISIONS.md has at most 60 entries and stays under 6,000 words', () => {
  expect(entries.length).toBeLessThanOrEqual(MOST_ENTRIES);
  expect(PAGE.split(/\s+/).length).toBeLessThan(MOST_WORDS);
});

it.each(entries)('a decision says why, what not, and the cost: $title', ({ text }) => {
  expect(text).toMatch(/^\*\*Why:\*\* .+[\s\S]+^\*\*Not:\*\* .+[\s\S]+^\*\*Cost:\*\* .+/m);
});
