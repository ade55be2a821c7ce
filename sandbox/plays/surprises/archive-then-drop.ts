import { call } from '../../model/answer.ts';
import { OLD_DATABASE } from '../kit/phrases.ts';
import { play } from '../kit/play.ts';

export const archiveThenDrop = play({
  about: 'The world changes while a call waits, so an old yes does not count.',
  example: 'archive the old database and drop what is left',
  begins: /\barchive\b.*\bdrop\b/i,
  scene: {
    opening: 'I will move the old database to the archive and drop what is left of it.',
    calls: [call('archive_database', { database: OLD_DATABASE }), call('drop_database', { database: OLD_DATABASE })],
  },
  next: 'Approve the archive. Then be Ben and approve the drop: it does not run, and asks again with what has changed.',
});
