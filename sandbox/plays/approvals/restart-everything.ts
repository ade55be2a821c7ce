import { call } from '../../model/answer.ts';
import { exceptions, isPlain } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import { RESTARTING, restarted } from '../kit/phrases.ts';
import { play, whileThere } from '../kit/play.ts';

const SERVICES = ['payments', 'search', 'mail'];

export const restartEverything = play({
  about: 'Three calls at once, each with a card of its own.',
  example: 'restart everything',
  begins: /restart (everything|all)/i,
  scene: {
    opening: 'I will restart the payments, search and mail services.',
    calls: SERVICES.map((service) => call('restart_service', { service })),
    closing: (results) => {
      if (results.every((result) => isPlain(hear(result)))) {
        return `Done. All ${results.length} services were restarted.`;
      }
      const done = restarted(results);
      const first = done.length === 0 ? 'Understood. What became of them:' : `Restarted: ${done.join(', ')}.`;
      return `${first}\n${exceptions(results, RESTARTING)}`;
    },
  },
  next: 'Approve one, deny one, and edit the third before you approve it.',
  isNext: whileThere('Approve'),
});
