import { call } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import { phrasesOf } from '../kit/phrases.ts';
import { play, whileThere } from '../kit/play.ts';

const TOOL = 'desk__book_room';

export const bookARoom = play({
  about: 'A tool server asks back in the middle of a call.',
  example: 'book a room for the review',
  begins: /\bbook a room\b/i,
  scene: {
    opening: 'I will ask the desk to book a room for the review.',
    calls: [call(TOOL, { purpose: 'the review' })],
    closing: ([result]) => {
      const { outcome } = hear(result);
      return outcome.type === 'ran' ? `The desk says: “${outcome.text}”` : closing(result, phrasesOf(TOOL));
    },
  },
  next: 'Approve it. The desk then has a question for you. Be Zoe and try to answer it.',
  isNext: whileThere('Approve', 'Answer'),
});
