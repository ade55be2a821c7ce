import type { EntryBody } from '../journal/entries.ts';
import { InboxMessage, type UserId } from '../records.ts';
import type { Surface } from '../surface.ts';
import { type Heard, hear } from './person-message.ts';

/** From the inbox into the journal. */

export interface HeardMessage extends Heard {
  readonly key: string;
  readonly user: UserId;
}

/** In the order of the inbox; their files are fetched at the same time. */
export function hearAll(
  surface: Pick<Surface, 'readFile'>,
  inbox: readonly { readonly key: string; readonly item: string }[],
): Promise<readonly HeardMessage[]> {
  return Promise.all(
    inbox.map(async ({ key, item }) => {
      const message = InboxMessage.parse(JSON.parse(item));
      return { key, user: message.user, ...(await hear(message, surface)) };
    }),
  );
}

export function personSaid({ key, user, unread }: HeardMessage, item: number): EntryBody {
  return { type: 'person-said', key, user, item, ...(unread === undefined ? {} : { unread }) };
}
