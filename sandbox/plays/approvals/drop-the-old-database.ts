import { call } from '../../model/answer.ts';
import { OLD_DATABASE } from '../kit/phrases.ts';
import { play, whileThere } from '../kit/play.ts';

export const dropTheOldDatabase = play({
  about: 'What cannot be undone is for Ben alone to approve.',
  example: 'drop the old database',
  begins: /\bdrop\b.*\bdatabase\b/i,
  scene: {
    opening: 'I will drop the old database. This cannot be undone.',
    calls: [call('drop_database', { database: OLD_DATABASE })],
  },
  next: 'Press Approve as Ann and see that nothing runs. Then be Ben and approve it.',
  isNext: whileThere('Approve'),
});
