import type { WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import type { MessageView } from '../views/index.ts';

/** Answers that one person sees. */

export type Respond = (answer: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface PrivateListener {
  readonly user: string;
  readonly channel: string;
  readonly threadTs: string | undefined;
}

export interface TellDeps {
  readonly client: WebClient;
  readonly log: Log;
}

/** A whisper takes the place of an answer that hangs, and whoever pressed is waiting for either. */
const TELL_MS = 5_000;

/** For the addresses that Slack gives with a press: nothing else would end a request to one of them that hangs. */
export const fetchInTime: typeof fetch = (address, init) =>
  fetch(address, { signal: AbortSignal.timeout(TELL_MS), ...init });

/** By the address that came with the press; if that is used up or gone, by name. */
export async function answerPrivately(
  { client, log }: TellDeps,
  respond: Respond | undefined,
  listener: PrivateListener,
  view: MessageView,
): Promise<void> {
  const { threadTs } = listener;
  try {
    if (respond === undefined) return await whisper(client, listener, view);
    await respond({ ...privately(view), ...given({ thread_ts: threadTs }) });
  } catch (error) {
    // What was decided stands; only its answer is on another way now.
    if (respond === undefined) throw error;
    log.info('An answer could not be given at its address', { channel: listener.channel, error });
    await whisper(client, listener, view);
  }
}

/** Slack's defaults would put the answer in the place of the card. */
export function privately(view: MessageView): Readonly<Record<string, unknown>> {
  return { response_type: 'ephemeral', replace_original: false, ...view };
}

export async function whisper(
  client: WebClient,
  { user, channel, threadTs }: PrivateListener,
  view: MessageView,
): Promise<void> {
  await client.chat.postEphemeral({
    channel,
    user,
    ...view,
    ...given({ thread_ts: threadTs }),
  });
}
