import { call } from '../../model/answer.ts';
import { answerHeard } from '../kit/answer-heard.ts';
import { play, whileThere } from '../kit/play.ts';

export const askMe = play({
  about: 'The agent asks you a question. No tool runs.',
  example: 'ask me when to restart',
  begins: /\bask me\b/i,
  scene: {
    opening: 'I need to know one thing.',
    calls: [
      call('ask_person', {
        question: 'When may the payments service go away for a minute?',
        choices: ['Now', 'Tonight'],
      }),
    ],
    closing: ([result]) => answerHeard(result),
  },
  next: 'Press “Answer…” and choose. Then write “ask me with a form”.',
  isNext: whileThere('Answer'),
});
