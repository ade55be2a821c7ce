import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Log } from '../../../app/log.ts';
import type { CardReceipt, Thread } from '../../../app/records/index.ts';
import { mayHaveArrived, refusalIn } from '../../sender/index.ts';
import { PLACEHOLDER } from '../../views/index.ts';
import type { Growing } from './growing.ts';

/** Begins a reply that people read while it is written: as a stream, or as a message to edit where Slack refuses streams. */

export interface Beginning {
  readonly client: WebClient;
  readonly log: Log;
  readonly growing: Growing;
  /** Channels that refused a stream, and refuse the next one as well. */
  readonly refusing: Set<string>;
}

const MOST_REFUSING = 1_000;

export async function beginReply(
  beginning: Beginning,
  thread: Thread,
  reader: string,
): Promise<CardReceipt | undefined> {
  try {
    return (await startStream(beginning, thread, reader)) ?? (await postPlaceholder(beginning, thread));
    // Slack may refuse: the reply is then posted when it is written. Where the answer is lost, a message may stand there.
  } catch (error) {
    if (mayHaveArrived(error)) throw error;
    beginning.log.debug('A reply cannot be read along with', { channel: thread.channel, error });
    return undefined;
  }
}

async function startStream(beginning: Beginning, thread: Thread, reader: string): Promise<CardReceipt | undefined> {
  if (beginning.refusing.has(thread.channel)) return undefined;
  try {
    const { ts } = await beginning.client.chat.startStream({
      channel: thread.channel,
      thread_ts: thread.ts,
      recipient_team_id: thread.workspace ?? thread.team,
      recipient_user_id: reader,
      task_display_mode: 'timeline',
    });
    return began(beginning, thread, ts, 'stream');
    // Slack may refuse streams here. An edited message takes the place of one.
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError) || isNowhere(error)) throw error;
    noteRefusal(beginning, thread, error);
    return undefined;
  }
}

function noteRefusal({ refusing, log }: Beginning, { channel }: Thread, error: WebAPIPlatformError): void {
  const lasts = isStreamless(error);
  if (refusing.size >= MOST_REFUSING) refusing.clear();
  if (lasts) refusing.add(channel);
  log.info('Slack does not stream here, so a reply is edited while it is written', { channel, error, again: !lasts });
}

async function postPlaceholder(beginning: Beginning, thread: Thread): Promise<CardReceipt> {
  const { ts } = await beginning.client.chat.postMessage({
    channel: thread.channel,
    thread_ts: thread.ts,
    ...PLACEHOLDER,
  });
  return began(beginning, thread, ts, 'edits');
}

function began({ growing }: Beginning, thread: Thread, ts: string | undefined, by: 'stream' | 'edits'): CardReceipt {
  if (ts === undefined) throw new Error('Slack began a reply and did not say where. The thread is searched for it.');
  const card = { channel: thread.channel, ts };
  growing.begin(card, by);
  return card;
}

/** Nothing can be written here now, so an edited message would not help. */
function isNowhere(error: WebAPIPlatformError): boolean {
  if (isStreamless(error)) return false;
  const meaning = refusalIn(error)?.meaning;
  return meaning === 'channel' || meaning === 'workspace' || LIMITED.includes(error.data.error);
}

const LIMITED = ['ratelimited', 'rate_limited'];

const isStreamless = (error: WebAPIPlatformError): boolean => STREAMLESS.includes(error.data.error);

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
