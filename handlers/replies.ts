import type { AnyChunk } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Log } from '../app/log.ts';
import type { CardReceipt, Thread } from '../app/records.ts';
import type { GrowingReply, Surface } from '../app/surface.ts';
import { isDoubtful, isRateLimited, isSlackError } from './sender/errors.ts';
import type { Turns } from './sender/turns.ts';
import type { MessageView } from './views/blocks.ts';
import { growingReply, growingTasks, PLACEHOLDER } from './views/growing.ts';

/**
 * Replies that people read while they are written. Slack's own streams carry them; where a stream is refused, or has
 * died after its five minutes, the same message goes on by edits. What stands there at the end is never left to what
 * arrived on the way: `finish` writes it whole.
 */
export interface Replies {
  readonly begin: Surface['beginReply'];
  readonly grow: (card: CardReceipt, reply: GrowingReply) => Promise<void>;
  readonly drop: Surface['dropReply'];
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
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** A reply that this process writes. */
interface Live {
  by: 'stream' | 'edits';
  /** What the stream has taken; an edit says everything anew. */
  sent: string;
  readonly tasks: Map<string, string>;
  wanted: GrowingReply | undefined;
  work: Promise<void> | undefined;
  /** Told when this or something newer was tried. */
  readonly tried: (() => void)[];
  /** On its way to Slack: what the stream holds is known only when this is answered. */
  sending: Promise<unknown> | undefined;
}

/** Slack takes a hundred appends a minute for a whole workspace, and fifty edits. */
const PACE_MS = { stream: 800, edits: 2_500 } as const;
const LONGEST_PAUSE_MS = 30_000;
const MOST_LIVE = 10_000;
/** Where streams are refused, they are refused again. */
const MOST_REFUSING = 1_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function createReplies({ client, inTurn, log, findWordless, pause = wait }: RepliesDeps): Replies {
  const live = new Map<string, Live>();
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
        again: !lasts,
        error,
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

  const began = (thread: Thread, ts: string | undefined, by: Live['by']): CardReceipt => {
    if (ts === undefined) throw new Error('Slack began a reply and did not say where. The thread is searched for it.');
    const card = { channel: thread.channel, ts };
    // Of a run that another process took over, nobody here hears any more.
    if (live.size >= MOST_LIVE) live.clear();
    live.set(nameOf(card), {
      by,
      sent: '',
      tasks: new Map(),
      wanted: undefined,
      work: undefined,
      tried: [],
      sending: undefined,
    });
    return card;
  };

  const grow: Replies['grow'] = (card, reply) => {
    const one = live.get(nameOf(card));
    if (one === undefined) return Promise.resolve();
    one.wanted = reply;
    return new Promise((resolve) => {
      one.tried.push(resolve);
      one.work ??= keepUp(card, one).finally(() => {
        one.work = undefined;
        wasTried(one);
      });
    });
  };

  /** Whatever came meanwhile is shown together. */
  const keepUp = async (card: CardReceipt, one: Live): Promise<void> => {
    while (one.wanted !== undefined && live.get(nameOf(card)) === one) {
      const reply = one.wanted;
      one.wanted = undefined;
      const sending = showMore(card, one, reply);
      one.sending = sending;
      const again = await sending;
      // Before the pause: it can be read now.
      wasTried(one);
      if (again === 'never') return;
      if (again !== 'shown') one.wanted ??= reply;
      await pause(again === 'shown' ? PACE_MS[one.by] : again);
    }
  };

  const wasTried = (one: Live): void => {
    for (const tell of one.tried.splice(0)) tell();
  };

  /** `shown`, or how long to wait before it is tried again, or that it makes no sense any more. */
  const showMore = async (card: CardReceipt, one: Live, reply: GrowingReply): Promise<'shown' | 'never' | number> => {
    try {
      await (one.by === 'stream' ? append(card, one, reply) : rewrite(card, reply));
      return 'shown';
    } catch (error) {
      if (isRateLimited(error)) return Math.min(error.retryAfter * 1_000, LONGEST_PAUSE_MS);
      log.debug('More of a reply could not be shown', { channel: card.channel, ts: card.ts, error });
      if (GONE.some((code) => isSlackError(error, code))) return 'never';
      if (one.by === 'edits') return PACE_MS.edits;
      // Its five minutes are over, or nobody knows what it holds now.
      one.by = 'edits';
      await stop(card);
      return 0;
    }
  };

  const append = async (card: CardReceipt, one: Live, reply: GrowingReply): Promise<void> => {
    const text = growingReply(reply.text);
    const more = text.startsWith(one.sent) ? text.slice(one.sent.length) : '';
    const tasks = growingTasks(reply.calls).filter((task) => one.tasks.get(task.id) !== task.status);
    const chunks: AnyChunk[] = [...tasks, ...(more === '' ? [] : [{ type: 'markdown_text' as const, text: more }])];
    if (chunks.length === 0) return;
    await client.chat.appendStream({ ...card, chunks });
    one.sent += more;
    for (const { id, status } of tasks) one.tasks.set(id, status);
  };

  const rewrite = async (card: CardReceipt, reply: GrowingReply): Promise<void> => {
    const text = growingReply(reply.text);
    if (text === '') return;
    await client.chat.update({ ...card, text: PLACEHOLDER.text, blocks: [{ type: 'markdown', text }] });
  };

  /** A stream that cannot be stopped has stopped by itself, or never was one. */
  const stop = (card: CardReceipt): Promise<void> =>
    client.chat.stopStream({ ...card }).then(
      () => {},
      (error: unknown) => log.debug('A stream could not be stopped', { channel: card.channel, ts: card.ts, error }),
    );

  /** From here on nothing grows. */
  const letGo = async (card: CardReceipt): Promise<Live | undefined> => {
    const one = live.get(nameOf(card));
    live.delete(nameOf(card));
    if (one !== undefined) one.wanted = undefined;
    await one?.sending;
    return one;
  };

  const finish: Replies['finish'] = (card, view, metadata) =>
    inTurn(card.channel, async () => {
      const one = await letGo(card);
      const [first, ...others] = view.blocks;
      const whole = first?.type === 'markdown' ? first.text : '';
      const rest = one?.by === 'stream' && whole.startsWith(one.sent) ? whole.slice(one.sent.length) : undefined;
      if (one?.by === 'stream' && rest !== undefined) {
        const blocks = one.tasks.size === 0 ? others : others.filter(({ block_id }) => block_id !== 'calls');
        const closed = await client.chat
          .stopStream({
            ...card,
            ...(rest === '' ? {} : { chunks: [{ type: 'markdown_text', text: rest }] }),
            ...(blocks.length === 0 ? {} : { blocks }),
            metadata,
          })
          .then(
            () => true,
            () => false,
          );
        if (closed) return 'finished';
      }
      await stop(card);
      try {
        await client.chat.update({ ...card, text: view.text, blocks: view.blocks, metadata });
        return 'finished';
      } catch (error) {
        if (GONE.some((code) => isSlackError(error, code))) return 'gone';
        throw error;
      }
    });

  const drop: Replies['drop'] = async (thread, card) => {
    for (const one of card === undefined ? await findWordless(thread) : [card]) {
      await inTurn(one.channel, async () => {
        await letGo(one);
        await stop(one);
        await remove(one);
      });
    }
  };

  const remove = async (card: CardReceipt): Promise<void> => {
    try {
      await client.chat.delete({ ...card });
    } catch (error) {
      if (!GONE.some((code) => isSlackError(error, code))) throw error;
    }
  };

  return { begin, grow, drop, finish };
}

const nameOf = ({ channel, ts }: CardReceipt): string => `${channel}:${ts}`;

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

/** It stands there no more, or will not change however often it is tried. */
const GONE = [
  'message_not_found',
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
  'channel_not_found',
  'is_archived',
  'not_in_channel',
];
