import { call } from '../../model/answer.ts';
import { HOSTILE } from '../../model/hostile.ts';
import { play, whileThere } from '../kit/play.ts';

export const hostile = play({
  about: 'An input of 100,000 characters tries to deceive you.',
  example: 'hostile',
  begins: /\bhostile\b/i,
  scene: { opening: 'I will run the report.', calls: [call('run_report', { query: HOSTILE })] },
  next: 'Look for Approve: it stands at the end of “View full input”.',
  isNext: whileThere('Deny'),
});
