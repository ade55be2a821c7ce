import { IDS } from '../ids.ts';
import { allTitles, titlesOfIds } from './titles.ts';

const titles = titlesOfIds(await allTitles());
for (const [id, rule] of Object.entries(IDS)) {
  process.stdout.write(`${id} ${rule}\n`);
  for (const title of new Set(titles.get(id))) process.stdout.write(`  ${title}\n`);
}
