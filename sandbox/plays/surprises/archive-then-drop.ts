import { call } from '../../model/answer.ts';
import { closing, type PhrasesOf } from '../../model/closing.ts';
import { DROPPING, phrasesOf } from '../kit/phrases.ts';
import { play, whileThere } from '../kit/play.ts';

const UNUSED = 'mail_old';

/** By then it may be in the archive, so nothing is said of where it stays. */
const DROPPING_WHAT_IS_LEFT: PhrasesOf = (input) => {
  const { ask, done } = DROPPING(input);
  return { ask, done, left: 'nothing was dropped' };
};

export const archiveThenDrop = play({
  about: 'The world changes while a call waits, so an old yes does not count.',
  example: 'archive the database mail_old and drop what is left',
  begins: /\barchive\b.*\bdrop\b/i,
  scene: {
    opening: 'I will move the database mail_old to the archive and drop what is left of it.',
    calls: [call('archive_database', { database: UNUSED }), call('drop_database', { database: UNUSED })],
    closing: (results) =>
      results
        .map((result) =>
          closing(result, result.tool === 'drop_database' ? DROPPING_WHAT_IS_LEFT : phrasesOf(result.tool)),
        )
        .join('\n\n'),
  },
  next: 'Approve the archive. Then be Ben and approve the drop: it does not run, and asks again with what has changed.',
  isNext: whileThere('Approve'),
});
