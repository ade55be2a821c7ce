import { given } from '../given.ts';
import { type SecretBox, SecretError } from '../secrets/index.ts';
import { turnsByLength } from '../time/index.ts';
import {
  type Extent,
  entryAt,
  formerInbox,
  formerItems,
  inboxAt,
  isSealed,
  itemAt,
  opener,
  openSealed,
  sealText,
} from './sealed-text.ts';
import { missingKeys } from './sealing.ts';
import type { AppendRequest, Hint, Store } from './store.ts';

/**
 * A store that encrypts the text of entries, items and inboxes. The ids of entries, the index lists and all times stay
 * readable, because the engines need them. A text is bound to its place, so that none can stand for another.
 *
 * Encryption lies outside of the hashes: a chain is over the readable lines, whatever key they are under.
 */
export function sealStore<Sealed extends Store>(store: Sealed, box: SecretBox, extent: Extent): Sealed {
  const seal = (text: string, place: string): string => sealText(box, text, place);
  const open = opener(box, extent);
  const openList = async (list: Texts): Promise<readonly string[]> => {
    await refuseClear(list, extent);
    const turnAfter = turnsByLength();
    const opened: string[] = [];
    for (const [index, text] of list.texts.entries()) {
      await turnAfter(text.length);
      opened.push(open(text, list.placeOf(list.from + index), list.formerPlace));
      await turnAfter(text.length);
    }
    return opened;
  };

  return {
    ...store,
    append: async (request) => store.append(await sealAppend(request, seal)),
    read: async (journal, from = 0, most) => {
      const page = await store.read(journal, from, most);
      const again = async () => textsOf((await store.read(journal)).entries);
      const placeOf = entryAt(journal);
      const texts = await openList({ texts: textsOf(page.entries), from, again, placeOf });
      return { ...page, entries: page.entries.map(({ id, text }, index) => ({ id, text: texts[index] ?? text })) };
    },
    readItems: async (run, from = 0) => {
      const again = () => store.readItems(run);
      const formerPlace = formerItems(run);
      return openList({ texts: await store.readItems(run, from), from, again, placeOf: itemAt(run), formerPlace });
    },
    watch: ({ onHint, onGap }) => store.watch({ onHint: (hint) => onHint(openHint(box, hint)), onGap }),
    take: ({ item, ...delivery }) =>
      store.take(
        item === undefined ? delivery : { ...delivery, item: seal(item, inboxAt(delivery.thread, delivery.key)) },
      ),
    thread: async (thread, most) => {
      const record = await store.thread(thread, most);
      const inbox = record.inbox.map(({ key, item }) => {
        if (extent === 'all' && !isSealed(item)) throw inClear(inboxAt(thread, key), 'all');
        return { key, item: open(item, inboxAt(thread, key), formerInbox(thread)) };
      });
      return { ...record, inbox };
    },
    health: async () => {
      const health = await store.health();
      return { ...health, warnings: [...health.warnings, ...(await missingKeys(store, box))] };
    },
  };
}

/** A hint without its entries where one of them is not encrypted for its place: its listener reads them from the store. */
function openHint(box: SecretBox, { entries, ...hint }: Hint): Hint {
  if (entries === undefined) return hint;
  const placeOf = entryAt(hint.run);
  const opened = entries.flatMap(({ id, text }, index) => {
    const clear = openSealed(box, text, placeOf(hint.version - entries.length + index));
    return clear === undefined ? [] : [{ id, text: clear }];
  });
  return opened.length === entries.length ? { ...hint, entries: opened } : hint;
}

type Seal = (text: string, place: string) => string;

async function sealAppend(request: AppendRequest, seal: Seal): Promise<AppendRequest> {
  const { journal, items, itemsFrom, beside } = request;
  const sealed = { ...sealEntries(request, seal), ...given({ beside: beside && sealEntries(beside, seal) }) };
  if (items === undefined || items.length === 0) return sealed;
  if (itemsFrom === undefined)
    throw new Error(`Items of ${journal} came without their position, which they are encrypted for. Mend the caller.`);
  const itemPlace = itemAt(journal);
  const turnAfter = turnsByLength();
  const sealedItems: string[] = [];
  for (const [index, item] of items.entries()) {
    await turnAfter(item.length);
    sealedItems.push(seal(item, itemPlace(itemsFrom + index)));
    await turnAfter(item.length);
  }
  return { ...sealed, items: sealedItems };
}

function sealEntries<Lines extends Pick<AppendRequest, 'journal' | 'expectedVersion' | 'entries'>>(
  lines: Lines,
  seal: Seal,
): Lines {
  const { journal, expectedVersion } = lines;
  const at = entryAt(journal);
  const entries = lines.entries.map(({ id, text }, index) => ({ id, text: seal(text, at(expectedVersion + index)) }));
  return { ...lines, entries };
}

/** Some texts of one list, as they are stored. */
interface Texts {
  readonly texts: readonly string[];
  /** The position of the first. */
  readonly from: number;
  /** Reads the list from its beginning. */
  readonly again: () => Promise<readonly string[]>;
  readonly placeOf: (position: number) => string;
  /** The place for which versions before 0.2 encrypted the whole list. */
  readonly formerPlace?: string;
}

/**
 * Refuses a list with text in clear where no bot can have written it: the bots that had no key wrote before the first text
 * that is encrypted.
 */
async function refuseClear({ texts, from, again, placeOf }: Texts, extent: Extent): Promise<void> {
  if (texts.every(isSealed)) return;
  if (extent === 'all') throw inClear(placeOf(from + texts.findIndex((text) => !isSealed(text))), extent);
  const all = from === 0 ? texts : await again();
  const forged = all.findIndex((text, at) => !isSealed(text) && isSealed(all[at - 1] ?? ''));
  if (forged !== -1) throw inClear(placeOf(forged), extent);
}

function inClear(place: string, extent: Extent): SecretError {
  const why = extent === 'all' ? 'everything in this store is encrypted' : 'what stands before it is encrypted';
  return new SecretError(
    `What is kept for ${place} is in clear, and ${why}: no bot with DATA_KEY has written it. It is not used. Restore the ` +
      'store from a copy.',
  );
}

const textsOf = (entries: readonly { readonly text: string }[]): readonly string[] => entries.map(({ text }) => text);
