import type { WebClient } from '@slack/web-api';
import { type CardReceipt, RunId, type Thread } from '../../app/records/index.ts';
import { ClosedChannelError, type OwnPost, RefusedPostError, RefusingWorkspaceError } from '../../app/surface.ts';
import { refusalIn } from '../sender/index.ts';
import { PLACEHOLDER } from '../views/index.ts';

/** Each post of the bot has a key in its metadata, and a thread is searched for that key. Another app could copy it. */

/** Turns a refusal for good into an error that says so. */
export const unlessRefused =
  ({ channel }: Thread) =>
  (error: unknown): never => {
    const { code = '', meaning } = refusalIn(error) ?? {};
    if (meaning === undefined) throw error;
    if (meaning === 'workspace') throw new RefusingWorkspaceError(code);
    throw meaning === 'channel' ? new ClosedChannelError(channel, code) : new RefusedPostError(channel, code);
  };

export const EVENT_TYPE = 'countersign_post';
const PAGE = 200;
const MOST_PAGES = 50;

/** Rejects when the search fails: no card for now is better than two cards for one question. */
export async function findPost(client: WebClient, thread: Thread, key: string): Promise<CardReceipt | undefined> {
  for await (const messages of pagesOf(client, thread)) {
    // Slack sorts by age, and a post that may have arrived is one of the newest.
    const found = messages.findLast(
      ({ metadata }) => metadata?.event_type === EVENT_TYPE && keyOf(metadata.event_payload) === key,
    );
    if (found?.ts !== undefined) return { channel: thread.channel, ts: found.ts };
  }
  return undefined;
}

/** What this message says about itself. `undefined` when the bot did not post it, or it is gone. */
export async function payloadAt(
  client: WebClient,
  { channel, ts }: CardReceipt,
  threadTs: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const at = { channel, ts: threadTs, oldest: ts, latest: ts, inclusive: true, include_all_metadata: true };
  const { messages = [] } = await client.conversations.replies(at);
  const { metadata } = messages.find((message) => message.ts === ts) ?? {};
  return metadata?.event_type === EVENT_TYPE ? { ...metadata.event_payload } : undefined;
}

/** Replies that were begun and have no text: their process died before it stored where they stand. */
export async function findWordless(client: WebClient, thread: Thread): Promise<readonly CardReceipt[]> {
  const found: CardReceipt[] = [];
  for await (const messages of pagesOf(client, thread)) {
    for (const { ts, text = '', files = [], metadata } of messages) {
      const wordless = (text === '' && files.length === 0) || text === PLACEHOLDER.text;
      if (ts !== undefined && wordless && metadata?.event_type !== EVENT_TYPE)
        found.push({ channel: thread.channel, ts });
    }
  }
  return found;
}

/** The posts of runs whose record is kept at the same place as this bot's. */
export async function findOwn(
  { client, place }: { readonly client: WebClient; readonly place: string | undefined },
  thread: Thread,
): Promise<readonly OwnPost[]> {
  if (place === undefined) return [];
  const found: OwnPost[] = [];
  for await (const messages of pagesOf(client, thread)) {
    for (const { ts, metadata } of messages) {
      if (ts === undefined || metadata?.event_type !== EVENT_TYPE) continue;
      const about: Readonly<Record<string, unknown>> = { ...metadata.event_payload };
      const [name = '', ...key] = String(about.key).replace(/#\d+$/, '').split('/');
      const run = RunId.safeParse(about.run ?? name);
      if (about.place === place && run.success)
        found.push({ run: run.data, key: key.join('/'), atMs: Number(ts) * 1_000 });
    }
  }
  return found;
}

/** To an app outside of its Marketplace, Slack gives 15 messages at a time, and the first message of the thread with them. */
const RATION = 16;

/** For a page that is not the last. */
export const isRationed = (messages: readonly unknown[] = []): boolean => messages.length <= RATION;

/** Answers whether the bot posted a message. */
export async function isOwn(client: WebClient): Promise<(message: { readonly bot_id?: string }) => boolean> {
  const { bot_id: self } = await client.auth.test();
  if (self === undefined) throw new Error('Slack did not say which bot this is. Nothing was posted; try again later.');
  return ({ bot_id }) => bot_id === self;
}

/** What the bot has posted in the thread, page by page. */
async function* pagesOf(client: WebClient, thread: Thread) {
  const own = await isOwn(client);
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
      // Slack may refuse for good. The caller gets an error that says so.
      .catch(unlessRefused(thread));
    yield (replies.messages ?? []).filter(own);
    cursor = replies.response_metadata?.next_cursor ?? '';
    if (cursor === '') return;
  }
  throw new Error('The thread is too long to be searched. Nothing was posted; ask in a new thread.');
}

function keyOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'key' in payload ? payload.key : undefined;
}
