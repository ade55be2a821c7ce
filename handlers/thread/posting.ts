import type { WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import type { CardReceipt, Thread } from '../../app/records/index.ts';
import { StalePostError } from '../../app/surface.ts';
import { pause, type Turns } from '../../app/time/index.ts';
import { mayHaveArrived } from '../sender/index.ts';
import type { MessageView } from '../views/index.ts';
import { EVENT_TYPE, findPost, unlessRefused } from './thread-search.ts';

/** Puts a post into a thread once. Its key, in the metadata of the message, shows whether it stands there already. */

export interface Posting {
  readonly client: WebClient;
  readonly log: Log;
  /** Where this bot keeps its facts, as `placeOf` says it. */
  readonly place: string | undefined;
  /** One post at a time for each channel. */
  readonly inTurn: Turns;
}

export interface OncePost {
  readonly key: string;
  readonly view: MessageView;
  /** An earlier try may have posted it. */
  readonly maybePosted: boolean;
  readonly isStale?: (() => boolean) | undefined;
  readonly about?: Origin;
}

/** Which run a post belongs to. */
export type Origin = Readonly<Record<string, string>>;

/** The key of a post, its run, and where its record is kept. */
export const postMetadata = ({ place }: Pick<Posting, 'place'>, key: string, about: Origin = {}) => ({
  event_type: EVENT_TYPE,
  event_payload: { key, ...given({ place }), ...about },
});

const MOST_TRIES = 3;
const BACK_OFF_MS = 300;

/** Posts once: where the answer of Slack is lost, the thread is searched before anything is posted a second time. */
export function postOnce(posting: Posting, thread: Thread, post: OncePost): Promise<CardReceipt> {
  const { client, log, inTurn } = posting;
  const { key } = post;
  return inTurn(thread.channel, async () => {
    let { maybePosted } = post;
    for (let tries = 1; ; tries += 1) {
      const before = maybePosted ? await findPost(client, thread, key) : undefined;
      if (before !== undefined) return before;
      if (post.isStale?.() === true) throw new StalePostError(`The post ${key} waited too long for its turn.`);
      try {
        return await postNow(posting, thread, post);
        // The answer of Slack may be lost although the message was posted.
      } catch (error) {
        if (!mayHaveArrived(error) || tries === MOST_TRIES) throw error;
        log.warn('A post may or may not have arrived; the thread is searched for it', { channel: thread.channel, key });
        maybePosted = true;
        await pause(BACK_OFF_MS * 2 ** (tries - 1));
      }
    }
  });
}

/** Where a post with this key stands, read after the posts that are under way in the channel. */
export function postBefore({ client, inTurn }: Posting, thread: Thread, key: string): Promise<CardReceipt | undefined> {
  return inTurn(thread.channel, () => findPost(client, thread, key));
}

async function postNow(posting: Posting, thread: Thread, { key, view, about }: OncePost): Promise<CardReceipt> {
  const to = { channel: thread.channel, thread_ts: thread.ts };
  const posted = await posting.client.chat
    .postMessage({ ...to, ...view, metadata: postMetadata(posting, key, about) })
    // Slack may refuse for good. The caller gets an error that says so.
    .catch(unlessRefused(thread));
  return receiptOf(posted);
}

function receiptOf({ channel, ts }: { readonly channel?: string; readonly ts?: string }): CardReceipt {
  if (channel !== undefined && ts !== undefined) return { channel, ts };
  throw new Error(
    'Slack accepted a post and did not say where it stands. Search the thread for it before posting again.',
  );
}
