import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IDS } from './ids.ts';
import { idsAtTheEnd } from './support/titles.ts';

/** What stands in quotes in the sources of tests and ends in brackets. A title that is put together is looked at elsewhere. */
const quoted = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => {
    const texts = readFileSync(join('test', name), 'utf8').match(/\([A-Z][^()'"`\n]*\)(?=['"`])/g) ?? [];
    return texts.map((text) => ({ name, text }));
  });

describe('the ids at the end of titles', () => {
  it('are found in the titles of hundreds of tests', () => {
    expect(quoted.flatMap(({ text }) => idsAtTheEnd(text)).length).toBeGreaterThan(1_000);
  });

  it('are each explained in test/ids.ts', () => {
    const unexplained = quoted.flatMap(({ name, text }) =>
      idsAtTheEnd(text)
        .filter((id) => !Object.hasOwn(IDS, id))
        .map((id) => `${id} in ${name}`),
    );

    expect(unexplained).toEqual([]);
  });

  it.each([
    ['one id', 'refuses a second press (P3)', ['P3']],
    ['several ids', 'refuses a second press (P19b, BEY-3)', ['P19b', 'BEY-3']],
    ['no id', 'refuses a second press', []],
    ['an id in the middle', 'refuses (P3) a second press', []],
    ['something else in brackets', 'refuses a second press (redis)', []],
  ])('are read from a title with %s', (_what, title, ids) => {
    expect(idsAtTheEnd(title)).toEqual(ids);
  });
});

describe('test/ids.ts', () => {
  it('explains each id in one line of whole sentences', () => {
    const odd = Object.entries(IDS).filter(([, rule]) => !/^[A-Z`*].*\.$/.test(rule) || rule.length > 130);
    expect(odd).toEqual([]);
  });
});
