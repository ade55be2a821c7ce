import { call } from '../../model/answer.ts';
import { exceptions, isPlain } from '../../model/closing.ts';
import type { Conversation } from '../../model/conversation.ts';
import { hear } from '../../model/outcome.ts';
import { RESTARTING, restarted } from '../kit/phrases.ts';
import { withTools } from '../kit/with-tools.ts';

const SERVICES = ['payments', 'search', 'mail'];

export const restartEverything: Conversation = {
  example: 'restart everything',
  begins: (said) => /restart (everything|all)/i.test(said),
  play: (request) =>
    withTools(request, {
      opening: 'I will restart all three services.',
      calls: SERVICES.map((service) => call('restart_service', { service })),
      closing: (results) => {
        if (results.every((result) => isPlain(hear(result)))) {
          return `Done. All ${results.length} services were restarted.`;
        }
        const done = restarted(results);
        const first = done.length === 0 ? 'Understood. What became of them:' : `Restarted: ${done.join(', ')}.`;
        return `${first}\n${exceptions(results, RESTARTING)}`;
      },
    }),
};
