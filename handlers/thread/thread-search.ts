import type { WebClient } from '@slack/web-api';
import type { CardReceipt, Thread } from '../../app/records/index.ts';
import { ClosedChannelError, RefusedPostError } from '../../app/surface.ts';
import { closedFor, refusedFor } from '../sender/index.ts';
import { PLACEHOLDER } from '../views/index.ts';

/** Posts of ours say in their metadata what they are for, and a thread is searched for that. */

/** Tells the caller that a later try would be refused as well. */
export const unlessRefused =
  ({ channel }: Thread) =>
  (error: unknown): never => {
    const closed = closedFor(error);
    if (closed !== undefined) throw new ClosedChannelError(channel, closed);
    const code = refusedFor(error);
    throw code === undefined ? error : new RefusedPostError(channel, code);
  };

export const EVENT_TYPE = 'countersign_post';
const PAGE = 200;
const MOST_PAGES = 50;

/** If the search fails, so does the post: two cards for one question are worse than none yet. */
export async function findPost(client: WebClient, thread: Thread, key: string): Promise<CardReceipt | undefined> {
  for await (const messages of pagesOf(client, thread)) {
    // Whoever searches after a doubt looks for something new, and Slack sorts by age.
    const found = messages.findLast(
      ({ metadata }) => metadata?.event_type === EVENT_TYPE && keyOf(metadata.event_payload) === key,
    );
    if (found?.ts !== undefined) return { channel: thread.channel, ts: found.ts };
  }
  return undefined;
}

/** What a message says itself that it is for, if it is one of ours. */
export async function keyAt(client: WebClient, thread: Thread, { channel, ts }: CardReceipt): Promise<unknown> {
  const at = { channel, ts: thread.ts, oldest: ts, latest: ts, inclusive: true, include_all_metadata: true };
  const { messages = [] } = await client.conversations.replies(at);
  const { metadata } = messages.find((message) => message.ts === ts) ?? {};
  return metadata?.event_type === EVENT_TYPE ? keyOf(metadata.event_payload) : undefined;
}

/** Replies of ours that were begun and never got a word: whoever began them died before it was written where. */
export async function findWordless(client: WebClient, thread: Thread): Promise<readonly CardReceipt[]> {
  const { bot_id: self } = await client.auth.test();
  const found: CardReceipt[] = [];
  for await (const messages of pagesOf(client, thread)) {
    for (const { ts, bot_id, text = '', files = [], metadata } of messages) {
      const wordless = (text === '' && files.length === 0) || text === PLACEHOLDER.text;
      if (
        ts !== undefined &&
        bot_id !== undefined &&
        bot_id === self &&
        wordless &&
        metadata?.event_type !== EVENT_TYPE
      )
        found.push({ channel: thread.channel, ts });
    }
  }
  return found;
}

async function* pagesOf(client: WebClient, thread: Thread) {
  let cursor = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const replies = await client.conversations
      .replies({
        channel: thread.channel,
        ts: thread.ts,
        include_all_metadata: true,
        limit: PAGE,
        ...(cursor === '' ? {} : { cursor }),
      })
      .catch(unlessRefused(thread));
    yield replies.messages ?? [];
    cursor = replies.response_metadata?.next_cursor ?? '';
    if (cursor === '') return;
  }
  throw new Error('The thread is too long to be searched. Nothing was posted; ask in a new thread.');
}

function keyOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'key' in payload ? payload.key : undefined;
}
