import { call } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import type { Conversation } from '../../model/conversation.ts';
import { DROPPING, OLD_DATABASE } from '../kit/phrases.ts';
import { withTools } from '../kit/with-tools.ts';

export const dropTheOldDatabase: Conversation = {
  example: 'drop the old database',
  begins: (said) => /\bdrop\b.*\bdatabase\b/i.test(said),
  play: (request) =>
    withTools(request, {
      opening: 'I will drop the old database. This cannot be undone.',
      calls: [call('drop_database', { database: OLD_DATABASE })],
      closing: ([result]) => closing(result, DROPPING),
    }),
};
