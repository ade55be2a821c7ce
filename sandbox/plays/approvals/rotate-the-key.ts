import { call } from '../../model/answer.ts';
import { play, whileThere } from '../kit/play.ts';

export const rotateTheKey = play({
  about: 'A yes in Slack is not enough: the decision is taken on a web page behind a sign-on.',
  example: 'rotate the webhook key',
  begins: /\brotate\b/i,
  scene: {
    opening: 'I will rotate the webhook key.',
    calls: [call('rotate_key', { key: 'webhook' })],
  },
  next: 'Be Ben, press “Decide on the web” and open the link. Sign on as Zoe first: the page stays closed.',
  isNext: whileThere('Decide on the web'),
});
