import { call } from '../../model/answer.ts';
import { play, whileThere } from '../kit/play.ts';

export const openTheDoor = play({
  about: 'A question waits ten seconds, and silence is no yes.',
  example: 'open the server room',
  begins: /\bopen the (?:server room|door)\b/i,
  scene: {
    opening: 'I will open the door of the server room.',
    calls: [call('open_door', { door: 'server room' })],
  },
  next: 'Wait ten seconds. The card expires; press “Ask again” on it and approve the new one.',
  isNext: whileThere('Approve', 'Ask again'),
});
