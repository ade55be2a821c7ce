import type { WebClient } from '@slack/web-api';
import type { Log } from '../app/log.ts';
import type { InboxMessage } from '../app/records.ts';
import type { Runs } from '../app/runs.ts';
import type { Trust } from '../app/trust.ts';
import type { Answer } from './arrival.ts';
import type { Taken } from './deliveries.ts';
import { whyNotMember } from './membership.ts';
import { type Bot, readSessionStopped } from './parse.ts';
import { whisper } from './tell.ts';
import { answerTrustWords, sentence } from './trusting.ts';
import { ANSWERS, THREAD_HELP, trustRefused } from './views/answers.ts';
import type { MessageView } from './views/blocks.ts';
import type { Wish } from './words.ts';

export interface MessageDeps {
  readonly runs: Runs;
  readonly trust: Trust;
  readonly client: WebClient;
  readonly log: Log;
  readonly bot: () => Bot;
  /** What became of a delivery in front of the app. */
  readonly takenOf: (body: unknown) => Taken | undefined;
}

/** Somebody mentioned the bot, or wrote in its thread. It is stored already; here they hear what there is to hear. */
export function onMessage({ takenOf, runs, trust, client }: MessageDeps): Answer {
  return async ({ body }) => {
    const taken = takenOf(body);
    if (taken === undefined) return;
    const { thread, user } = taken.message;
    if (taken.type === 'for-the-agent') {
      // Words near a card are never an answer to it, however much they look like one.
      if ((await runs.standing(thread)) !== 'waiting') return;
      return whisper(client, { user, channel: thread.channel, threadTs: thread.ts }, sentence(ANSWERS.onlyButtons));
    }
    const view = await wordsAnswer({ runs, trust, client }, taken.wish, taken.message);
    if (view === undefined) return;
    await client.chat.postMessage({
      channel: thread.channel,
      thread_ts: thread.ts,
      ...view,
      unfurl_links: false,
      unfurl_media: false,
    });
  };
}

async function wordsAnswer(
  { runs, trust, client }: Pick<MessageDeps, 'runs' | 'trust' | 'client'>,
  wish: Wish,
  { thread, user }: InboxMessage,
): Promise<MessageView | undefined> {
  if (wish.type === 'stop') {
    // A run that was stopped says so itself, with the name of who did it.
    return (await runs.stop(thread, user)) === 'stopped' ? undefined : sentence(ANSWERS.nothingRuns);
  }
  const why = wish.type === 'trust' ? await whyNotMember(client, { user, team: thread.team }) : undefined;
  if (why !== undefined) return sentence(trustRefused(why));
  const place = { team: thread.team, channel: thread.channel, threadTs: thread.ts, user };
  return answerTrustWords(trust, { wish, place, help: THREAD_HELP });
}

/** Somebody pressed Slack's own Stop. Stopping is always safe, so anybody in the thread may. */
export function onSessionStopped({ runs, bot, log }: Pick<MessageDeps, 'runs' | 'bot' | 'log'>): Answer {
  return async ({ body }) => {
    const { thread, by } = readSessionStopped(body, bot());
    const result = await runs.stop(thread, by);
    log.info('A run was stopped from Slack', { channel: thread.channel, thread: thread.ts, by, result });
  };
}
