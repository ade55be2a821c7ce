import type { WebClient } from '@slack/web-api';
import type { Log } from '../../../app/log.ts';
import type { CardReceipt, Thread } from '../../../app/records/index.ts';
import type { Surface } from '../../../app/surface.ts';
import type { Turns } from '../../../app/time/index.ts';
import { refusalIn } from '../../sender/index.ts';
import type { MessageView } from '../../views/index.ts';
import { type Beginning, beginReply } from './beginning.ts';
import { finishReply, type PostMetadata } from './finishing.ts';
import { createGrowing } from './growing.ts';

/**
 * Replies that people read while they are written. Slack's own streams carry them, and edits where streams are refused.
 * `finish` writes the whole text, whatever arrived on the way.
 */
export interface Replies {
  readonly begin: Surface['beginReply'];
  readonly grow: Surface['growReply'];
  readonly drop: Surface['dropReply'];
  /** Deletes the message, if it still stands there. */
  readonly remove: (card: CardReceipt) => Promise<void>;
  /** Turns it into the final message. `gone` when nothing stands there any more. */
  readonly finish: (card: CardReceipt, view: MessageView, metadata: PostMetadata) => Promise<'finished' | 'gone'>;
}

export interface RepliesDeps {
  readonly client: WebClient;
  readonly inTurn: Turns;
  readonly log: Log;
  /** Finds messages of the bot that have neither text nor a key. */
  readonly findWordless: (thread: Thread) => Promise<readonly CardReceipt[]>;
}

export function createReplies({ client, inTurn, log, findWordless }: RepliesDeps): Replies {
  const growing = createGrowing({ client, log });
  const remove = (card: CardReceipt) => removeMessage({ client, log }, card);
  const beginning: Beginning = { client, log, growing, refusing: new Set() };
  return {
    begin: (thread, reader) => inTurn(thread.channel, () => beginReply(beginning, thread, reader)),
    grow: growing.grow,
    drop: async (thread, card) => {
      for (const one of card === undefined ? await findWordless(thread) : [card]) {
        await inTurn(one.channel, async () => {
          const known = await growing.letGo(one);
          if (known?.open ?? true) await growing.stop(one);
          await remove(one);
        });
      }
    },
    remove,
    finish: (card, view, metadata) =>
      inTurn(card.channel, () => finishReply({ client, growing, remove }, card, view, metadata)),
  };
}

async function removeMessage({ client, log }: Pick<RepliesDeps, 'client' | 'log'>, card: CardReceipt): Promise<void> {
  try {
    await client.chat.delete({ ...card });
    // Slack may refuse for good: the message is gone, or has to stay. Any other error is thrown.
  } catch (error) {
    const why = refusalIn(error)?.code;
    if (why === undefined) throw error;
    if (why !== 'message_not_found') log.info('A message cannot be taken back', { ...card, why });
  }
}
