import { call } from '../../model/answer.ts';
import { answerHeard } from '../kit/answer-heard.ts';
import { play, whileThere } from '../kit/play.ts';

export const askMeWithAForm = play({
  about: 'The agent asks you several things in a form.',
  example: 'ask me with a form how to restart',
  begins: /\bask me with a form\b/i,
  scene: {
    opening: 'I need to know a few things.',
    calls: [
      call('ask_person', {
        question: 'How may I restart the payments service?',
        form: {
          type: 'object',
          properties: {
            when: { type: 'string', enum: ['Now', 'Tonight'], title: 'When' },
            minutes: { type: 'integer', minimum: 1, maximum: 60, title: 'For how long, in minutes' },
            tellUsers: { type: 'boolean', title: 'Tell its users' },
            note: { type: 'string', title: 'What to tell them', maxLength: 200 },
          },
          required: ['when', 'minutes', 'tellUsers'],
        },
      }),
    ],
    closing: ([result]) => answerHeard(result),
  },
  next: 'Press Answer… and try 90 minutes first: the form says what is wrong.',
  isNext: whileThere('Answer'),
});
