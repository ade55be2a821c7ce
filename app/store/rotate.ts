import type { JournalName, RunId, ThreadKey } from '../records/index.ts';
import type { SecretBox } from '../secrets/index.ts';
import { StoreSetupError } from './errors.ts';
import { type OpenStoreOptions, openEngine } from './open.ts';
import { sealStore } from './sealed.ts';
import { entryAt, inboxAt, isNewest, itemAt, sealText } from './sealed-text.ts';
import { isEmpty, sealingWord, settleSealing } from './sealing.ts';
import { rewriteFile } from './sqlite/index.ts';
import type { Store, StoredText } from './store.ts';

/** How many texts were encrypted anew. */
export interface Rotated {
  readonly entries: number;
  readonly items: number;
  readonly messages: number;
}

export interface Rotation {
  /** The store as the bot reads it, for what the caller encrypts itself. */
  readonly store: Store;
  /** Encrypts every text with the newest key. After it, the store needs no older key and holds no text in clear. */
  readonly rotate: () => Promise<Rotated>;
  readonly close: () => Promise<void>;
}

const NOTHING =
  'Nothing of Countersign is stored there. Set DATA_DIR or REDIS_URL to the store of the bot, and run this again.';
const MEANWHILE =
  'Another process writes with other keys. Give every process the same DATA_KEY, start it again, and then run this again.';
/** A bot that has the new key writes nothing old, so the second look finds nothing. */
const MOST_LOOKS = 3;

/** Opens a store to encrypt all of it anew, with a bot beside it where the store is for several processes. */
export async function openToRotate(options: OpenStoreOptions & { readonly box: SecretBox }): Promise<Rotation> {
  // A wrong address must not make a new store. Opened to be read, the engine refuses a place where nothing is stored.
  await (await openEngine({ ...options, readOnly: true })).close();
  const { patient: engine } = await openEngine({ ...options, beside: options.redisUrl !== undefined });
  try {
    if ((await engine.record('sealing')) === undefined && (await isEmpty(engine))) throw new StoreSetupError(NOTHING);
    const extent = await settleSealing({ ...options, store: engine, readOnly: false });
    const store = sealStore(engine, options.box, extent);
    return {
      store,
      rotate: () => rotate({ engine, store, box: options.box }),
      close: async () => {
        await engine.close();
        // The free pages of the file still hold what was replaced.
        if (options.redisUrl === undefined) rewriteFile(options.dataDir);
      },
    };
    // The caller gets no store to close, and an open one would keep its lock or its connections.
  } catch (error) {
    await engine.close();
    throw error;
  }
}

interface Rotating {
  /** The texts as they are stored. */
  readonly engine: Store;
  readonly store: Store;
  readonly box: SecretBox;
}

async function rotate(rotating: Rotating): Promise<Rotated> {
  const { engine, box } = rotating;
  const record = await engine.record('sealing');
  let sum: Rotated = { entries: 0, items: 0, messages: 0 };
  for (const look of Array.from({ length: MOST_LOOKS }, () => once)) {
    const { entries, items, messages } = await look(rotating);
    sum = { entries: sum.entries + entries, items: sum.items + items, messages: sum.messages + messages };
    const isDone = Math.max(entries, items, messages) === 0;
    if (isDone && (await engine.writeRecord('sealing', sealingWord(box, 'all'), record))) return sum;
  }
  throw new StoreSetupError(MEANWHILE);
}

async function once(rotating: Rotating): Promise<Rotated> {
  const { engine } = rotating;
  const runs = await engine.journals('run');
  const others = [...(await engine.journals('grant')), ...(await engine.journals('workspace'))];
  let [entries, items, messages] = [0, 0, 0];
  for (const journal of [...runs, ...others]) entries += await entriesOf(rotating, journal);
  for (const run of runs) items += await itemsOf(rotating, run);
  for (const thread of await engine.inboxes()) messages += await messagesOf(rotating, thread);
  return { entries, items, messages };
}

async function entriesOf({ engine, store, box }: Rotating, journal: JournalName): Promise<number> {
  const stored = (await engine.read(journal)).entries.map(({ text }) => text);
  const read = (await store.read(journal)).entries.map(({ text }) => text);
  const at = (position: number): StoredText => ({ type: 'entry', journal, position });
  return replace({ engine, box, stored, read, at, placeOf: entryAt(journal) });
}

async function itemsOf({ engine, store, box }: Rotating, run: RunId): Promise<number> {
  const stored = await engine.readItems(run);
  const read = await store.readItems(run);
  const at = (position: number): StoredText => ({ type: 'item', run, position });
  return replace({ engine, box, stored, read, at, placeOf: itemAt(run) });
}

async function messagesOf({ engine, store, box }: Rotating, thread: ThreadKey): Promise<number> {
  const { inbox: stored } = await engine.thread(thread);
  const read = new Map((await store.thread(thread)).inbox.map(({ key, item }) => [key, item]));
  const replaced = stored.map(({ key, item }) =>
    replace({
      engine,
      box,
      stored: [item],
      // A bot has taken it into a journal meanwhile.
      read: [read.get(key)],
      at: () => ({ type: 'inbox', thread, key }),
      placeOf: () => inboxAt(thread, key),
    }),
  );
  return (await Promise.all(replaced)).reduce((sum, one) => sum + one, 0);
}

interface Replacing {
  readonly engine: Store;
  readonly box: SecretBox;
  readonly stored: readonly string[];
  /** The same texts in clear. Absent where one is gone by now. */
  readonly read: readonly (string | undefined)[];
  readonly at: (position: number) => StoredText;
  readonly placeOf: (position: number) => string;
}

/**
 * Replaces the last text of a list first. So text in clear never stands behind encrypted text, whenever a bot reads the list
 * or the process dies.
 */
async function replace({ engine, box, stored, read, at, placeOf }: Replacing): Promise<number> {
  let replaced = 0;
  for (const [position, before] of [...stored.entries()].reverse()) {
    const text = read[position];
    const place = placeOf(position);
    if (text === undefined || isNewest(box, before, place)) continue;
    if (await engine.reseal(at(position), before, sealText(box, text, place))) replaced += 1;
  }
  return replaced;
}
