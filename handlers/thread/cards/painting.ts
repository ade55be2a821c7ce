import type { ApprovalId, CardReceipt } from '../../../app/records/index.ts';
import type { Painting } from '../../../app/surface.ts';
import { refusalIn } from '../../sender/index.ts';
import type { MessageView } from '../../views/index.ts';
import { type Origin, type Posting, postMetadata } from '../posting.ts';
import type { Paintings } from './paintings.ts';

export interface Painter {
  readonly posting: Posting;
  readonly paintings: Paintings;
}

interface Painted {
  readonly id: ApprovalId;
  readonly card: CardReceipt;
  readonly revision: number;
  readonly key: string;
  readonly about: Origin;
}

/** Replaces a card in Slack by what it shows now, unless a newer revision was painted before. */
export async function paint(
  { posting, paintings }: Painter,
  { card, id, revision, key, about }: Painted,
  view: () => MessageView,
): Promise<Painting> {
  if (!paintings.begin(id, revision)) return 'painted';
  try {
    const { text, blocks } = view();
    const metadata = postMetadata(posting, key, about);
    await posting.client.chat.update({ channel: card.channel, ts: card.ts, text, blocks, metadata });
    return 'painted';
    // Slack may refuse for good: the card then stays as it is. Any other error is thrown, and a later try may work.
  } catch (error) {
    const why = refusalIn(error)?.code;
    if (why === undefined) {
      paintings.failed(id, revision);
      throw error;
    }
    posting.log.warn('A card cannot be repainted any more; its decision counts all the same', { card: id, why });
    return why === 'message_not_found' ? 'gone' : 'refused';
  }
}
