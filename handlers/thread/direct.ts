import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import type { CardReceipt } from '../../app/records/index.ts';
import { DIRECT, isPassing } from '../sender/index.ts';
import type { MessageView } from '../views/index.ts';

/** Tells one person something in their own conversation with the bot. */
export interface Direct {
  /**
   * Once for each key, however often it is tried: what was told is looked for first. `undefined` for a person whom
   * Slack lets nobody write to; rejects when it may be tried again.
   */
  readonly tell: (user: string, key: string, view: MessageView) => Promise<Told | undefined>;
  /** Where it was told under this key; `undefined` also for whom nobody can write to. Rejects when it may be tried again. */
  readonly find: (user: string, key: string) => Promise<CardReceipt | undefined>;
  /** Makes it say this. Where Slack will never take that, it is logged; rejects when it may be tried again. */
  readonly amend: (card: CardReceipt, key: string, view: MessageView) => Promise<void>;
}

export interface Told {
  readonly card: CardReceipt;
  /** Somebody had told them before. */
  readonly found: boolean;
}

export function createDirect({ client, log }: { readonly client: WebClient; readonly log: Log }): Direct {
  const findIn = async (channel: string, key: string): Promise<CardReceipt | undefined> => {
    const { messages } = await client.conversations.history({ channel, limit: LOOKED_AT, include_all_metadata: true });
    const found = (messages ?? []).find(({ metadata: { event_type, event_payload = {} } = {} }) => {
      return event_type === DIRECT && 'key' in event_payload && event_payload.key === key;
    });
    return found?.ts === undefined ? undefined : { channel, ts: found.ts };
  };

  const conversationWith = async (user: string): Promise<string | undefined> =>
    (await client.conversations.open({ users: user })).channel?.id;

  const find = async (user: string, key: string): Promise<CardReceipt | undefined> => {
    const channel = await conversationWith(user);
    return channel === undefined ? undefined : findIn(channel, key);
  };

  /** Never again, for this person or this message; what may pass is thrown. */
  const unlessPassing = (what: string, about: object) => (error: unknown) => {
    if (!(error instanceof WebAPIPlatformError) || isPassing(error)) throw error;
    log.info(what, { ...about, error: error.data.error });
    return undefined;
  };

  const tell = async (user: string, key: string, view: MessageView): Promise<Told | undefined> => {
    const channel = await conversationWith(user);
    if (channel === undefined) return undefined;
    const before = await findIn(channel, key);
    if (before !== undefined) return { card: before, found: true };
    const { ts } = await client.chat.postMessage({
      channel,
      ...view,
      metadata: metadata(key),
      unfurl_links: false,
      unfurl_media: false,
    });
    return ts === undefined ? undefined : { card: { channel, ts }, found: false };
  };

  return {
    tell: (user, key, view) =>
      tell(user, key, view).catch(unlessPassing('A person could not be told directly', { user })),
    find: (user, key) => find(user, key).catch(unlessPassing('What a person was told cannot be looked for', { user })),
    amend: async (card, key, { text, blocks }) => {
      await client.chat
        .update({ ...card, text, blocks, metadata: metadata(key) })
        .catch(unlessPassing('What a person was told cannot be changed any more', { ...card }));
    },
  };
}

const metadata = (key: string) => ({ event_type: DIRECT, event_payload: { key } });
/** A reminder that was told a hundred messages ago has been told. */
const LOOKED_AT = 100;
