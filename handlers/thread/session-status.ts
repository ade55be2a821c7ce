import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import { type ThreadKey, threadKey } from '../../app/records/index.ts';
import type { Surface } from '../../app/surface.ts';
import { withLimit } from '../../app/time/index.ts';

/** Slack may want us to wait; the thread comes up again, and the newest status is the one that is sent. */
const SOON_MS = 2_000;

/** Shows in Slack whether the bot works on a thread or waits for a person. In Slack's words, `active` means that the work is over. */
export function createSessionStatus({
  client,
  log,
}: {
  readonly client: Pick<WebClient, 'agents'>;
  readonly log: Log;
}): Pick<Surface, 'status' | 'statusShown' | 'workEnds'> {
  const lastShown = new Map<ThreadKey, Promise<void>>();
  const show = async (...[thread, status, session]: Parameters<Surface['status']>): Promise<void> => {
    const place = { channel_id: thread.channel, thread_ts: thread.ts, status };
    const begin = given({ title: session?.title, initiator_user_id: session?.initiator });
    try {
      await client.agents.sessions.setStatus({ ...place, ...begin });
    } catch (error) {
      // Whoever wrote may be nobody that Slack takes for this; that somebody works is to be seen all the same.
      if (session === undefined || !(error instanceof WebAPIPlatformError)) throw error;
      await client.agents.sessions.setStatus(place);
    }
  };
  return {
    status: async (thread, status, session) => {
      // It only helps the eye, so nothing waits for it; of several the newest is shown.
      const shown = show(thread, status, session).catch((error: unknown) =>
        log.debug('The status of a thread could not be shown', { channel: thread.channel, status, error }),
      );
      lastShown.set(threadKey(thread), shown);
      void shown.then(() => {
        if (lastShown.get(threadKey(thread)) === shown) lastShown.delete(threadKey(thread));
      });
    },
    // They arrive in their order, so those before it are there as well.
    statusShown: async (thread) => lastShown.get(threadKey(thread)),
    workEnds: async (thread) => {
      // What Slack refuses once it refuses always: this is no agent there, or the channel is gone.
      const shown = show(thread, 'active').then(
        () => true,
        (error: unknown) => error instanceof WebAPIPlatformError,
      );
      return withLimit(shown, { ms: SOON_MS, late: false });
    },
  };
}
