import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import { type ThreadKey, threadKey } from '../../app/records/index.ts';
import type { Surface } from '../../app/surface.ts';
import { withLimit } from '../../app/time/index.ts';
import { refusalIn } from '../sender/index.ts';

/** How long the end of work waits for its status. When it is late, the thread comes up again and sends the newest one. */
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
      // Slack may refuse the title or the initiator. The status is shown without them then.
    } catch (error) {
      if (session === undefined || !(error instanceof WebAPIPlatformError)) throw error;
      await client.agents.sessions.setStatus(place);
    }
  };
  return {
    status: async (thread, status, session) => {
      // The status only helps the eye, so no caller waits for it, and a failure is only logged.
      const shown = show(thread, status, session).catch((error: unknown) =>
        log.debug('The status of a thread could not be shown', { channel: thread.channel, status, error }),
      );
      lastShown.set(threadKey(thread), shown);
      void shown.then(() => {
        if (lastShown.get(threadKey(thread)) === shown) lastShown.delete(threadKey(thread));
      });
    },
    // Statuses arrive in order, so the ones before the last have arrived as well.
    statusShown: async (thread) => lastShown.get(threadKey(thread)),
    workEnds: async (thread) => {
      // A refusal is final: the app is no agent there, or the channel is gone. An archived one may come back as it was.
      const shown = show(thread, 'active').then(
        () => true,
        (error: unknown) => !['is_archived', undefined].includes(refusalIn(error)?.code),
      );
      return withLimit(shown, { ms: SOON_MS, late: false });
    },
  };
}
