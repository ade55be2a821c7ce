import { call } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import type { Conversation } from '../../model/conversation.ts';
import { RESTARTING } from '../kit/phrases.ts';
import { withTools } from '../kit/with-tools.ts';

export const restart: Conversation = {
  example: 'restart the payments service',
  begins: (said) => /\brestart\b/i.test(said),
  play: (request) => {
    const service = /restart (?:the )?([\w-]+)/i.exec(request.said)?.[1]?.toLowerCase() ?? 'payments';
    return withTools(request, {
      opening: `I will restart the ${service} service.`,
      calls: [call('restart_service', { service })],
      closing: ([result]) => closing(result, RESTARTING),
    });
  },
};
