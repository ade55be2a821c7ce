import type { WebClient } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import type { CardReceipt } from '../../app/records/index.ts';
import { DIRECT, refusalIn } from '../sender/index.ts';
import type { MessageView } from '../views/index.ts';

/** Tells one person something in their own conversation with the bot. */
export interface Direct {
  /**
   * Posts once for each key: a message with the key is looked for first. `undefined` when Slack does not let the bot write
   * to this person. Rejects when a later try may work.
   */
  readonly tell: (user: string, key: string, view: MessageView) => Promise<Told | undefined>;
  /** Finds the message with this key. `undefined` also when the bot cannot write there. Rejects when a later try may work. */
  readonly find: (user: string, key: string) => Promise<CardReceipt | undefined>;
  /** Replaces the message by this view. A refusal for good is logged. Rejects when a later try may work. */
  readonly amend: (card: CardReceipt, key: string, view: MessageView) => Promise<void>;
}

export interface Told {
  readonly card: CardReceipt;
  /** An earlier try had posted it. */
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

  /** Logs a refusal for good and gives `undefined`. Throws what may pass. */
  const unlessPassing = (what: string, about: object) => (error: unknown) => {
    const why = refusalIn(error)?.code;
    if (why === undefined) throw error;
    log.info(what, { ...about, why });
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
      // Slack may let no app write to this person.
      tell(user, key, view).catch(unlessPassing('A person could not be told directly', { user })),
    find: (user, key) =>
      // The conversation may be closed to the bot.
      find(user, key).catch(unlessPassing('What a person was told cannot be looked for', { user })),
    amend: async (card, key, { text, blocks }) => {
      await client.chat
        .update({ ...card, text, blocks, metadata: metadata(key) })
        // The message may be gone.
        .catch(unlessPassing('What a person was told cannot be changed any more', { ...card }));
    },
  };
}

const metadata = (key: string) => ({ event_type: DIRECT, event_payload: { key } });
/** How many of the latest messages are searched for a key. */
const LOOKED_AT = 100;
