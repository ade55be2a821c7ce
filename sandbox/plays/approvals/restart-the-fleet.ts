import { call } from '../../model/answer.ts';
import { exceptions } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import { RESTARTING } from '../kit/phrases.ts';
import { play, whileThere } from '../kit/play.ts';

const FLEET = ['payments', 'search', 'billing', 'mail'];

export const restartTheFleet = play({
  about: 'Four calls on one card, each with its own answer.',
  example: 'restart the fleet',
  begins: /restart the (whole )?fleet/i,
  scene: {
    opening: 'I will restart the whole fleet, one service after the other.',
    calls: FLEET.map((service) => call('restart_service', { service })),
    closing: (results) => {
      const done = results.filter((result) => hear(result).outcome.type === 'ran').length;
      return `The fleet: ${done} of ${results.length} restarts are done.\n${exceptions(results, RESTARTING)}`;
    },
  },
  next: 'Deny one row, then press “Approve all”.',
  isNext: whileThere('Approve all'),
});
