import { call } from '../../model/answer.ts';
import { exceptions } from '../../model/closing.ts';
import type { Conversation } from '../../model/conversation.ts';
import { hear } from '../../model/outcome.ts';
import { RESTARTING } from '../kit/phrases.ts';
import { withTools } from '../kit/with-tools.ts';

const FLEET = ['payments', 'search', 'billing', 'mail'];

export const restartTheFleet: Conversation = {
  example: 'restart the fleet',
  begins: (said) => /restart the (whole )?fleet/i.test(said),
  play: (request) =>
    withTools(request, {
      opening: 'I will restart the whole fleet, one service after the other.',
      calls: FLEET.map((service) => call('restart_service', { service })),
      closing: (results) => {
        const done = results.filter((result) => hear(result).outcome.type === 'ran').length;
        return `The fleet: ${done} of ${results.length} restarts are done.\n${exceptions(results, RESTARTING)}`;
      },
    }),
};
