import type { WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import { orLog } from '../../app/or-log.ts';
import type { InboxMessage } from '../../app/records/index.ts';
import { refusalIn } from '../sender/index.ts';
import { fallback, type MessageView, type Mrkdwn, section } from '../views/index.ts';

/** Answers that one person sees. */

export function sentence(text: Mrkdwn): MessageView {
  return { text: fallback(text), blocks: [section('answer', text)] };
}

export type Respond = (answer: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface PrivateListener {
  readonly user: string;
  readonly channel: string;
  readonly threadTs: string | undefined;
}

/** In the channel where the message begins a thread: Slack shows no private answer in a thread without a reply. */
export function writerOf({ user, thread: { channel, ts: root }, ts }: InboxMessage): PrivateListener {
  return { user, channel, threadTs: ts === root ? undefined : root };
}

export interface TellDeps {
  readonly client: WebClient;
  readonly log: Log;
}

/** When an answer hangs for this long, a whisper takes its place, because the presser waits. */
const TELL_MS = 5_000;

/** For the addresses that Slack sends with a press. Without this limit, a request to one of them could hang for ever. */
export const fetchInTime: typeof fetch = (address, init) =>
  fetch(address, { signal: AbortSignal.timeout(TELL_MS), ...init });

/**
 * Answers at the address that came with the press, or by a whisper if that address is used up or gone. Never rejects: what the
 * person wanted is done or refused by then, and another answer would say that it failed.
 */
export async function answerPrivately(
  { client, log }: TellDeps,
  respond: Respond | undefined,
  listener: PrivateListener,
  view: MessageView,
): Promise<void> {
  const { channel, threadTs } = listener;
  const atAddress = async () => {
    await respond?.({ ...privately(view), ...given({ thread_ts: threadTs }) });
    return respond !== undefined;
  };
  // Slack may refuse the address, and then a whisper is left.
  if (await orLog(log.info, 'An answer could not be given at its address', { channel }, atAddress)) return;
  // Slack may be busy, or the person not in the channel.
  await orLog(log.warn, UNTOLD, { channel, user: listener.user }, () => whisper(client, listener, view));
}

/** For the log. */
export const UNTOLD = 'A person could not be told what came of it';

/** Without these settings Slack would put the answer in the place of the card. */
export function privately(view: MessageView): Readonly<Record<string, unknown>> {
  return { response_type: 'ephemeral', replace_original: false, ...view };
}

/** In the channel where the thread takes nothing: it is locked, or its first message is gone. */
export async function whisper(
  client: WebClient,
  { user, channel, threadTs }: PrivateListener,
  view: MessageView,
): Promise<void> {
  const say = (place: { readonly thread_ts?: string }) =>
    client.chat.postEphemeral({ channel, user, ...view, ...place });
  await say(given({ thread_ts: threadTs })).catch((error: unknown) => {
    if (threadTs === undefined || refusalIn(error)?.meaning !== 'post') throw error;
    return say({});
  });
}
