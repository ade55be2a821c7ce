import { call } from '../../model/answer.ts';
import { play, whileThere } from '../kit/play.ts';

export const refund = play({
  about: 'A refund takes a yes of two people besides the person who asked.',
  example: 'refund order A-1001',
  begins: /\brefund\b/i,
  scene: {
    opening: 'I will pay 250 € back for order A-1001.',
    calls: [call('refund_order', { order: 'A-1001', amount: 250 })],
  },
  next: 'Be Ben and approve it, then be Zoe and approve it. One no would end it.',
  isNext: whileThere('Approve'),
});
