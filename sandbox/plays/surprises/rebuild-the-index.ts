import { call } from '../../model/answer.ts';
import { play, whileThere } from '../kit/play.ts';

export const rebuildTheIndex = play({
  about: 'A tool that takes a minute is stopped while it runs.',
  example: 'rebuild the search index',
  begins: /\brebuild\b/i,
  scene: { opening: 'I will rebuild the search index. That takes a minute.', calls: [call('rebuild_index', {})] },
  next: 'Approve it, and press Stop while it runs.',
  isNext: whileThere('Approve', 'Stop'),
});
