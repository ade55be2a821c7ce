import { resolve } from 'node:path';

/** What the page showed at the end of each browser test, by the name of the file and the title. */
export const PICTURES = resolve('.data/pictures');
