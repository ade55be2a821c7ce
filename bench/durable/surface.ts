import type { Card, CardReceipt, Thread } from '../../app/records/index.ts';
import type { Post, Surface } from '../../app/surface.ts';

/** What the surface tells of: each card and each post, when it stands in its thread. */
export interface SurfaceListener {
  readonly onCard: (card: Card, standsAt: CardReceipt) => void;
  readonly onPost: (thread: Thread, post: Post) => void;
}

/** A thread in which everything stands at once. It keeps nothing, so a search finds nothing. */
export function instantSurface({ onCard, onPost }: SurfaceListener): Surface {
  let written = 0;
  const receipt = (channel: string): CardReceipt => {
    written += 1;
    return { channel, ts: `1800000000.${`${written}`.padStart(6, '0')}` };
  };
  return {
    say: async (thread, post) => {
      const card = receipt(thread.channel);
      onPost(thread, post);
      return card;
    },
    postCard: async (card) => {
      const standsAt = receipt(card.asks.thread.channel);
      onCard(card, standsAt);
      return standsAt;
    },
    amend: async () => 'painted',
    beginReply: async () => undefined,
    growReply: async () => {},
    dropReply: async () => {},
    takeBack: async () => {},
    takeBackSecond: async () => {},
    findCard: async () => undefined,
    paintCard: async () => 'painted',
    remind: async () => ({ copies: [], found: false }),
    findCopies: async () => [],
    tellUnheard: async () => {},
    paintingHeld: () => new Promise(() => {}),
    paintCopy: async () => {},
    callByName: async () => 'called',
    ownPosts: async () => [],
    readFile: async () => ({ type: 'unreadable', why: 'is not here.' }),
    status: async () => {},
    statusShown: async () => {},
    workEnds: async () => true,
  };
}
