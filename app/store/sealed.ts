import type { SecretBox } from '../secrets/index.ts';
import type { Store } from './store.ts';

/**
 * A store that encrypts what people and models wrote: the items of runs (messages, answers, inputs and results) and the
 * inboxes. Entries stay readable, so that the audit needs no key.
 *
 * Text that was stored before there was a key is read as it is.
 */
export function sealStore<Sealed extends Store>(store: Sealed, box: SecretBox): Sealed {
  const seal = (text: string, place: string): string => `${SEALED}${box.encrypt(text, place)}`;
  const open = (text: string, place: string): string =>
    isSealed(text) ? box.decrypt(text.slice(SEALED.length), place) : text;
  return {
    ...store,
    append: (request) =>
      store.append(
        request.items === undefined
          ? request
          : { ...request, items: request.items.map((item) => seal(item, itemsOf(request.journal))) },
      ),
    readItems: async (run, from) => (await store.readItems(run, from)).map((item) => open(item, itemsOf(run))),
    take: ({ item, ...delivery }) =>
      store.take(item === undefined ? delivery : { ...delivery, item: seal(item, inboxOf(delivery.thread)) }),
    thread: async (thread) => {
      const record = await store.thread(thread);
      return {
        ...record,
        inbox: record.inbox.map(({ key, item }) => ({ key, item: open(item, inboxOf(thread)) })),
      };
    },
  };
}

const SEALED = 'sealed:';

export function isSealed(text: string): boolean {
  return text.startsWith(SEALED);
}

const itemsOf = (journal: string): string => `items ${journal}`;
const inboxOf = (thread: string): string => `inbox ${thread}`;
