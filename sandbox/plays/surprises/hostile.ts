import { call } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import type { Conversation } from '../../model/conversation.ts';
import { HOSTILE } from '../../model/hostile.ts';
import { REPORTING } from '../kit/phrases.ts';
import { withTools } from '../kit/with-tools.ts';

export const hostile: Conversation = {
  example: 'hostile',
  begins: (said) => /\bhostile\b/i.test(said),
  play: (request) =>
    withTools(request, {
      opening: 'I will run the report.',
      calls: [call('run_report', { query: HOSTILE })],
      closing: ([result]) => closing(result, REPORTING),
    }),
};
