import { call } from '../../model/answer.ts';
import type { Conversation } from '../../model/conversation.ts';
import { answerHeard } from '../kit/answer-heard.ts';
import { withTools } from '../kit/with-tools.ts';

export const askMe: Conversation = {
  example: 'ask me when to restart',
  begins: (said) => /\bask me\b/i.test(said),
  play: (request) =>
    withTools(request, {
      opening: 'I need to know one thing.',
      calls: [
        call('ask_person', {
          question: 'When may the payments service go away for a minute?',
          choices: ['Now', 'Tonight'],
        }),
      ],
      closing: ([result]) => answerHeard(result),
    }),
};
