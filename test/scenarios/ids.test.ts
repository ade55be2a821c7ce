import { beforeAll, describe, expect, it } from 'vitest';
import { IDS } from '../ids.ts';
import { type TitlesOfIds, titlesOfIds } from '../support/titles.ts';

/** Every test of the project is listed, which takes half a minute on a busy machine. */
describe('the titles of all tests, as they are printed', () => {
  let titles: TitlesOfIds;
  beforeAll(async () => {
    titles = await titlesOfIds();
  }, 300_000);

  it('cite no id that test/ids.ts does not explain', () => {
    expect([...titles.keys()].filter((id) => !Object.hasOwn(IDS, id))).toEqual([]);
  });

  it('prove every id of test/ids.ts', () => {
    const proven = Object.keys(IDS).filter((id) => titles.has(id));
    process.stdout.write(`${proven.length} ids are proven. \`npm run ids\` prints the titles that prove each.\n`);

    expect(Object.keys(IDS).filter((id) => !titles.has(id))).toEqual([]);
  });
});
