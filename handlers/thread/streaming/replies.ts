import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Log } from '../../../app/log.ts';
import type { CardReceipt, Thread } from '../../../app/records/index.ts';
import type { GrowingReply, Surface } from '../../../app/surface.ts';
import type { Turns } from '../../../app/time/index.ts';
import { isDoubtful, isSlackError, refusedFor } from '../../sender/index.ts';
import { type MessageView, PLACEHOLDER } from '../../views/index.ts';
import { createGrowing, hasDied } from './growing.ts';

/**
 * Replies that people read while they are written: where they begin, and what becomes of them. Slack's own streams carry
 * them, and edits where streams are refused. What stands there at the end is never left to what arrived on the way:
 * `finish` writes it whole.
 */
export interface Replies {
  readonly begin: Surface['beginReply'];
  readonly grow: (card: CardReceipt, reply: GrowingReply) => Promise<void>;
  readonly drop: Surface['dropReply'];
  /** Deletes what stands there, if it still does. */
  readonly remove: (card: CardReceipt) => Promise<void>;
  /** Makes it the message that it should have been. `gone` when nothing stands there any more. */
  readonly finish: (card: CardReceipt, view: MessageView, metadata: Metadata) => Promise<'finished' | 'gone'>;
}

export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string>>;
}

export interface RepliesDeps {
  readonly client: WebClient;
  readonly inTurn: Turns;
  readonly log: Log;
  /** Is this a message of ours that nobody gave any words or a key? */
  readonly findWordless: (thread: Thread) => Promise<readonly CardReceipt[]>;
}

/** Where streams are refused, they are refused again. */
const MOST_REFUSING = 1_000;

export function createReplies({ client, inTurn, log, findWordless }: RepliesDeps): Replies {
  const growing = createGrowing({ client, log });
  const refusing = new Set<string>();

  const begin: Replies['begin'] = (thread, reader) =>
    inTurn(thread.channel, async () => {
      try {
        return (await startStream(thread, reader)) ?? (await postPlaceholder(thread));
      } catch (error) {
        if (isDoubtful(error)) throw error;
        log.debug('A reply cannot be read along with', { channel: thread.channel, error });
        return undefined;
      }
    });

  const startStream = async (thread: Thread, reader: string): Promise<CardReceipt | undefined> => {
    if (refusing.has(thread.channel)) return undefined;
    try {
      const { ts } = await client.chat.startStream({
        channel: thread.channel,
        thread_ts: thread.ts,
        recipient_team_id: thread.workspace ?? thread.team,
        recipient_user_id: reader,
        task_display_mode: 'timeline',
      });
      return began(thread, ts, 'stream');
    } catch (error) {
      if (!(error instanceof WebAPIPlatformError) || NOWHERE.some((code) => isSlackError(error, code))) throw error;
      const lasts = STREAMLESS.some((code) => isSlackError(error, code));
      if (refusing.size >= MOST_REFUSING) refusing.clear();
      if (lasts) refusing.add(thread.channel);
      log.info('Slack does not stream here, so a reply is edited while it is written', {
        channel: thread.channel,
        error,
        again: !lasts,
      });
      return undefined;
    }
  };

  const postPlaceholder = async (thread: Thread): Promise<CardReceipt> => {
    const { ts } = await client.chat.postMessage({
      channel: thread.channel,
      thread_ts: thread.ts,
      ...PLACEHOLDER,
    });
    return began(thread, ts, 'edits');
  };

  const began = (thread: Thread, ts: string | undefined, by: 'stream' | 'edits'): CardReceipt => {
    if (ts === undefined) throw new Error('Slack began a reply and did not say where. The thread is searched for it.');
    const card = { channel: thread.channel, ts };
    growing.begin(card, by);
    return card;
  };

  const finish: Replies['finish'] = (card, view, metadata) =>
    inTurn(card.channel, async () => {
      const one = await growing.letGo(card);
      let open = one?.open ?? true;
      const [first, ...others] = view.blocks;
      const whole = first?.type === 'markdown' ? first.text : '';
      const rest = one?.by === 'stream' && whole.startsWith(one.sent) ? whole.slice(one.sent.length) : undefined;
      if (one?.by === 'stream' && rest !== undefined) {
        const blocks = one.tasks.size === 0 ? others : others.filter(({ block_id }) => block_id !== 'calls');
        const chunks = rest === '' ? {} : { chunks: [{ type: 'markdown_text' as const, text: rest }] };
        try {
          await client.chat.stopStream({ ...card, ...chunks, ...(blocks.length === 0 ? {} : { blocks }), metadata });
          return 'finished';
        } catch (error) {
          open = !hasDied(error);
        }
      }
      if (open) await growing.stop(card);
      try {
        await client.chat.update({ ...card, text: view.text, blocks: view.blocks, metadata });
        return 'finished';
      } catch (error) {
        if (refusedFor(error) !== undefined) return 'gone';
        throw error;
      }
    });

  const drop: Replies['drop'] = async (thread, card) => {
    for (const one of card === undefined ? await findWordless(thread) : [card]) {
      await inTurn(one.channel, async () => {
        const known = await growing.letGo(one);
        if (known?.open ?? true) await growing.stop(one);
        await remove(one);
      });
    }
  };

  const remove = async (card: CardReceipt): Promise<void> => {
    try {
      await client.chat.delete({ ...card });
    } catch (error) {
      const why = refusedFor(error);
      if (why === undefined) throw error;
      if (why !== 'message_not_found') log.info('A message cannot be taken back', { ...card, why });
    }
  };

  return { begin, grow: growing.grow, drop, remove, finish };
}

/** Nothing can be written here at all, so another way to write would not help. */
const NOWHERE = [
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'token_revoked',
  'account_inactive',
  'ratelimited',
];

/** Streams are refused here now and later. Anything else is tried again with the next reply. */
const STREAMLESS = [
  'method_not_supported_for_channel_type',
  'channel_type_not_supported',
  'unknown_method',
  'missing_scope',
  'not_allowed_token_type',
  'feature_not_enabled',
  'access_denied',
  'no_permission',
  'missing_recipient_team_id',
  'missing_recipient_user_id',
];
