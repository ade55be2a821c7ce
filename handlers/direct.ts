import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Log } from '../app/log.ts';
import type { MessageView } from './views/blocks.ts';

/** Tells one person something in their own conversation with the bot. */
export interface Direct {
  /**
   * Once for each key, however often it is tried: what was told is looked for first. Answers false for a person whom
   * Slack lets nobody write to; rejects when it may be tried again.
   */
  readonly tell: (user: string, key: string, view: MessageView) => Promise<boolean>;
}

export function createDirect({ client, log }: { readonly client: WebClient; readonly log: Log }): Direct {
  const isThere = async (channel: string, key: string): Promise<boolean> => {
    const { messages } = await client.conversations.history({ channel, limit: LOOKED_AT, include_all_metadata: true });
    return (messages ?? []).some(({ metadata: { event_type, event_payload = {} } = {} }) => {
      return event_type === EVENT_TYPE && 'key' in event_payload && event_payload.key === key;
    });
  };

  return {
    tell: async (user, key, view) => {
      try {
        const { channel } = await client.conversations.open({ users: user });
        if (channel?.id === undefined) return false;
        if (await isThere(channel.id, key)) return true;
        await client.chat.postMessage({
          channel: channel.id,
          ...view,
          metadata: { event_type: EVENT_TYPE, event_payload: { key } },
          unfurl_links: false,
          unfurl_media: false,
        });
        return true;
      } catch (error) {
        if (!(error instanceof WebAPIPlatformError)) throw error;
        log.info('A person could not be told directly', { user, error: error.data.error });
        return false;
      }
    },
  };
}

const EVENT_TYPE = 'countersign_direct';
/** A reminder that was told a hundred messages ago has been told. */
const LOOKED_AT = 100;
