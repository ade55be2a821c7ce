import type { Clock } from '../../../app/clock.ts';
import type { Card } from '../../../app/records/index.ts';
import type { Surface } from '../../../app/surface.ts';
import { questionCard } from '../../questions/index.ts';
import { approvalCard, listCard, type MessageView } from '../../views/index.ts';
import { type Origin, type Posting, postBefore, postOnce } from '../posting.ts';
import { type Painter, paint } from './painting.ts';
import { createPaintings } from './paintings.ts';

/** The cards of a thread: each is posted once, found again by its key, and repainted where it stands. */
export type ThreadCards = Pick<Surface, 'postCard' | 'findCard' | 'paintCard'>;

export function createCards(posting: Posting, clock: Clock): ThreadCards {
  const painter: Painter = { posting, paintings: createPaintings(clock) };
  return {
    postCard: (card, { maybePosted, isStale }) =>
      postOnce(posting, card.asks.thread, {
        key: keyOf(card),
        view: viewOf(card),
        maybePosted,
        isStale,
        about: originOf(card),
      }),
    findCard: (card) => postBefore(posting, card.asks.thread, keyOf(card)),
    paintCard: (card, standsAt) =>
      paint(
        painter,
        { id: card.asks.id, card: standsAt, revision: revisionOf(card), key: keyOf(card), about: originOf(card) },
        () => viewOf(card),
      ),
  };
}

/** A list card is found by the same kind of key as the card of one approval. */
function keyOf({ kind, asks }: Card): string {
  return kind === 'approval' || kind === 'list' ? `card:${asks.id}` : `${kind}:${asks.id}`;
}

function viewOf(card: Card): MessageView {
  switch (card.kind) {
    case 'approval':
      return approvalCard(card.asks);
    case 'list':
      return listCard(card.asks);
    default:
      return questionCard(card);
  }
}

/** Questions besides approvals are painted once, when they are settled. */
const revisionOf = ({ asks }: Card): number => ('revision' in asks ? asks.revision : 1);

function originOf({ kind, asks }: Card): Origin {
  return kind === 'approval' ? { run: asks.run, firstEntry: asks.firstEntry } : {};
}
