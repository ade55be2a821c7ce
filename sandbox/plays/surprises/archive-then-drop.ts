import { call } from '../../model/answer.ts';
import { play } from '../kit/play.ts';

const UNUSED = 'mail_old';

export const archiveThenDrop = play({
  about: 'The world changes while a call waits, so an old yes does not count.',
  example: 'archive the database mail_old and drop what is left',
  begins: /\barchive\b.*\bdrop\b/i,
  scene: {
    opening: 'I will move the database mail_old to the archive and drop what is left of it.',
    calls: [call('archive_database', { database: UNUSED }), call('drop_database', { database: UNUSED })],
  },
  next: 'Approve the archive. Then be Ben and approve the drop: it does not run, and asks again with what has changed.',
});
