import { call } from '../../model/answer.ts';
import { closing, type PhrasesOf } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import { DROPPING } from '../kit/phrases.ts';
import { play, whileThere } from '../kit/play.ts';
import type { Scene } from '../kit/with-tools.ts';

const UNUSED = 'search_old';

const GENTLER: PhrasesOf = (input) => ({
  ...DROPPING(input),
  offer: 'There is a way that loses nothing: I ask to move it to the archive.',
});

export const makeRoom = play({
  about: 'A denied task finds a lawful way.',
  example: 'make room on the disk',
  begins: /\bmake room\b/i,
  scene: {
    opening: 'The shortest way would be to drop the database search_old, so I ask for that first.',
    calls: [call('drop_database', { database: UNUSED })],
    closing: ([result]): string | Scene => {
      if (!hear(result).outcome.type.startsWith('denied')) return closing(result, DROPPING);
      return { opening: closing(result, GENTLER), calls: [call('archive_database', { database: UNUSED })] };
    },
  },
  next: 'Be Ben and deny it with a reason. The agent then asks Ann for less.',
  // The second card is not for Ben.
  isNext: (thread) => whileThere('Deny')(thread) && !thread.told.includes('archive_database'),
});
