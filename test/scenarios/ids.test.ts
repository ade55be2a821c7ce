import { beforeAll, describe, expect, it } from 'vitest';
import { IDS } from '../ids.ts';
import { allTitles, idsAtTheEnd, partsOf, titlesOfIds } from '../support/titles.ts';

/** Every test of the project is listed, which takes minutes on a busy machine. */
describe('the printed titles of all tests', () => {
  let all: readonly string[];
  beforeAll(async () => {
    all = await allTitles();
  });

  it('cite no id that test/ids.ts does not explain', () => {
    expect([...titlesOfIds(all).keys()].filter((id) => !Object.hasOwn(IDS, id))).toEqual([]);
  });

  it('prove every id of test/ids.ts', () => {
    const titles = titlesOfIds(all);
    const proven = Object.keys(IDS).filter((id) => titles.has(id));
    process.stdout.write(
      `${proven.length} ids are proven by ${all.length} titles. \`npm run ids\` prints those that prove each.\n`,
    );

    expect(Object.keys(IDS).filter((id) => !titles.has(id))).toEqual([]);
  });

  it('have their ids at the end', () => {
    const elsewhere = all.filter((title) =>
      partsOf(title).some((part) => {
        const early = part.match(/^[A-Z]+-?\d+[a-z]?(?= )|(?<=\()[A-Z]+-?\d+[a-z]?(?=[,)].)/g) ?? [];
        return early.some((id) => Object.hasOwn(IDS, id) && !idsAtTheEnd(part).includes(id));
      }),
    );
    expect(elsewhere).toEqual([]);
  });
});
