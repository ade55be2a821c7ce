import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import { orLog } from '../../app/or-log.ts';
import type { Thread } from '../../app/records/index.ts';
import { inTurns } from '../../app/time/index.ts';
import type { ReadOptions, SaidMessage, ThreadReach } from '../../app/tools/index.ts';
import { readFiles, readForwarded, unescaped } from '../payloads/index.ts';
import { mayHaveArrived, untilAborted } from '../sender/index.ts';
import { type MessageView, replyInSteps } from '../views/index.ts';
import { accountOf, createDirectory, type Known, memberPages, type Teams } from '../workspaces/index.ts';
import { isOwn, isRationed } from './thread-search.ts';
import { upload } from './upload.ts';

/**
 * What the built-in tools may do in Slack. The bot is in more channels than the person it works for, so a post to another
 * channel needs that person's membership there. If Slack cannot say, nothing is posted.
 */
export function createReach(client: WebClient, teams: Teams, log: Log): ThreadReach {
  const people = createDirectory(client, teams);

  const readable = async (
    { workspace }: Thread,
    messages: readonly unknown[] | undefined,
    limit: number,
  ): Promise<readonly SaidMessage[]> => {
    const said = (messages ?? []).flatMap((message) => {
      const read = Said.safeParse(message);
      return read.success ? [read.data] : [];
    });
    const names = new Map((await people(workspace)).map(({ id, name }) => [String(id), name]));
    return said
      .sort((a, b) => Number(a.ts) - Number(b.ts))
      .slice(-limit)
      .map((message) => saidIn(message, names));
  };

  return {
    readThread: async (thread, { limit, signal }: ReadOptions) => {
      const { channel, ts } = thread;
      const messages: unknown[] = [];
      // Slack gives replies oldest first, so the newest are on the last page.
      for (let cursor: string | undefined, page = 0; ; page += 1) {
        signal.throwIfAborted();
        if (page >= MOST_PAGES) throw new Error(TOO_LONG);
        const answer = await client.conversations.replies({
          channel,
          ts,
          limit: PAGE,
          ...given({ cursor }),
        });
        messages.push(...(answer.messages ?? []));
        cursor = answer.response_metadata?.next_cursor || undefined;
        if (cursor === undefined) break;
        if (isRationed(answer.messages)) throw new Error(RATIONED);
      }
      return readable(thread, messages, limit);
    },
    readChannel: async (thread, { limit, signal }) => {
      signal.throwIfAborted();
      const { messages } = await client.conversations.history({ channel: thread.channel, limit });
      return readable(thread, messages, limit);
    },
    findPerson: async ({ team, workspace }, query, { limit, signal, steeredBy }) => {
      signal.throwIfAborted();
      await mustBeFullMembers(client, team, steeredBy);
      // An accent is written as one sign or as two.
      const wanted = query
        .replace(/^<?@|>$/g, '')
        .normalize('NFC')
        .toLowerCase();
      const match = ({ id, name, handle }: Known): number => {
        const known = name.normalize('NFC').toLowerCase();
        if (id.toLowerCase() === wanted || handle === wanted || known === wanted) return 2;
        return known.includes(wanted) || handle.includes(wanted) ? 1 : 0;
      };
      // A shared channel brings people of other companies into the directory.
      return (await people(workspace))
        .filter((person) => match(person) > 0 && accountOf(person.account, team) !== 'outsider')
        .sort((a, b) => match(b) - match(a))
        .slice(0, limit)
        .map(({ handle: _handle, account: _account, ...person }) => person);
    },
    post: (post) => postTo(client, log, post),
    upload: ({ thread, fileName, content, signal }) => upload(client, thread, { name: fileName, content, signal }),
  };
}

/** The newest messages stand on the last page, which would take a minute for each page before it. */
const RATIONED =
  'Slack gives this app 15 messages of a thread a minute, and this thread has more, so its newest messages cannot be read. Say so, and ask for a copy of what matters.';
const PAGE = 200;
const MOST_PAGES = 25;
const TOO_LONG = `This thread has more than ${(PAGE * MOST_PAGES).toLocaleString('en-US')} messages, so its newest cannot be read. Say so, and ask for a copy of what matters.`;
const EVENT_TYPE = 'countersign_tool_post';

const Said = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(''),
  files: z.unknown().optional(),
  attachments: z.unknown().optional(),
});

function saidIn(message: z.infer<typeof Said>, names: ReadonlyMap<string, string>): SaidMessage {
  const { ts, user, bot_id, text } = message;
  const by = user ?? bot_id ?? 'unknown';
  const files = readFiles(message.files).map(({ name }) => name);
  const forwarded = readForwarded(message.attachments);
  return {
    ts,
    by,
    name: names.get(by),
    text: unescaped(text),
    ...(files.length === 0 ? {} : { files }),
    ...(forwarded.length === 0 ? {} : { forwarded }),
  };
}

/** Throws unless Slack says of each of these people that they are full members of the workspace. */
async function mustBeFullMembers(client: WebClient, team: string, users: readonly string[]): Promise<void> {
  const accounts = await Promise.all(
    users.map(async (user) => {
      const { user: found } = await client.users.info({ user });
      return found === undefined ? 'unknown' : accountOf({ ...found, id: user }, team);
    }),
  );
  if (users.length > 0 && accounts.every((account) => account === 'person')) return;
  throw new Error(
    'The directory of this workspace is for its full members, and the agent read words of others too. Ask for a mention of the person instead.',
  );
}

/** Throws unless this person is a member of the channel: the bot must not do more there than its requester could. */
async function mustBeMember(client: WebClient, channel: string, user: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  for await (const members of memberPages(client, channel)) {
    if (members.includes(user)) return;
    signal.throwIfAborted();
  }
  throw new Error(
    'The person this is for is not a member of that channel, so nothing was posted there. Ask this person to join it first.',
  );
}

async function postTo(
  client: WebClient,
  log: Log,
  { channel, text, requester, key, signal }: Parameters<ThreadReach['post']>[0],
): ReturnType<ThreadReach['post']> {
  await mustBeMember(client, channel, requester, signal);
  let first: string | undefined;
  const views = await inTurns(replyInSteps(text, { signed: { label: 'Posted for', user: requester } }));
  for (const [index, view] of views.entries()) {
    try {
      const ts = await postOnce(client, { channel, signal }, `${key}#${index}`, view);
      first ??= ts;
      // A refused message was not posted, but those before it were.
    } catch (error) {
      if (index === 0 && !mayHaveArrived(error)) throw error;
      log.warn('Only a part of a post is known to stand in its channel.', { channel, error });
      return { known: `Slack is known to have taken ${index} of its ${views.length} messages.` };
    }
  }
  // Slack may not answer. The post stands without its link.
  const link = await orLog(log.warn, 'Slack gave no link to a post.', { channel }, () =>
    linkTo(client, channel, first),
  );
  return { link };
}

/**
 * Posts once: if Slack's answer is lost, it looks for the post in the newest 50 messages before it posts again. Where it cannot
 * look, or the second answer is lost as well, it rejects with the loss of the first.
 */
async function postOnce(
  client: WebClient,
  { channel, signal }: { readonly channel: string; readonly signal: AbortSignal },
  key: string,
  view: MessageView,
): Promise<string | undefined> {
  const metadata = { event_type: EVENT_TYPE, event_payload: { key } };
  const post = async () => {
    const { ts } = await client.chat.postMessage(untilAborted({ channel, ...view, metadata }, signal));
    return ts;
  };
  const postUnlessThere = async () => {
    const own = await isOwn(client);
    const { messages } = await client.conversations.history({ channel, limit: 50, include_all_metadata: true });
    const found = messages
      ?.filter(own)
      .find(({ metadata: kept }) => JSON.stringify(kept?.event_payload ?? {}) === JSON.stringify({ key }));
    return found === undefined ? post() : found.ts;
  };
  // The answer of Slack may be lost although the message was posted.
  return post().catch((error: unknown) => {
    if (!mayHaveArrived(error)) throw error;
    return postUnlessThere().catch(() => Promise.reject(error));
  });
}

async function linkTo(client: WebClient, channel: string, ts: string | undefined): Promise<string | undefined> {
  if (ts === undefined) return undefined;
  const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts });
  return permalink;
}
