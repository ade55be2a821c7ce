import type { Log } from '../log.ts';
import type { SecretBox } from '../secrets/index.ts';
import { StoreSetupError } from './errors.ts';
import { type Extent, isSealed, openSecret } from './sealed-text.ts';
import type { Store } from './store.ts';

/**
 * The store has a record of how it is encrypted: one word for each key that its texts may be under, encrypted with that
 * key. So a start notices a key that is missing or wrong before anything is read, and the first word that opens says
 * how much of the store is encrypted.
 */
export interface SealingDeps {
  readonly store: Pick<Store, 'record' | 'writeRecord' | 'journals' | 'inboxes'>;
  readonly box: SecretBox;
  readonly log: Log;
  /** The record is neither written nor missed. */
  readonly readOnly: boolean;
}

/** For a process without a key. Rejects where the store is encrypted, except for a reader, which gets the texts as they are. */
export async function refuseSealed({ store, log, readOnly }: Omit<SealingDeps, 'box'>): Promise<void> {
  if (readOnly) return;
  await checkClear(store);
  log.info(IN_CLEAR);
}

async function checkClear(store: Pick<Store, 'record'>): Promise<void> {
  if ((await store.record('sealing')) !== undefined) throw new StoreSetupError(NO_KEY);
}

/**
 * The store of a process without a key. Another process may begin to encrypt it at any time. From then on this one is not healthy.
 * It reads no encrypted text, and so appends none in clear behind it, and it begins nothing: the other process would refuse that.
 */
export function inClear<Clear extends Store>(store: Clear): Clear {
  const refuseSealedIn = (texts: readonly string[]): void => {
    if (texts.some(isSealed)) throw new StoreSetupError(NO_KEY);
  };
  return {
    ...store,
    read: async (...where) => {
      const page = await store.read(...where);
      refuseSealedIn(page.entries.map(({ text }) => text));
      return page;
    },
    thread: async (...about) => {
      const record = await store.thread(...about);
      refuseSealedIn(record.inbox.map(({ item }) => item));
      return record;
    },
    take: async (delivery) => {
      await checkClear(store);
      return store.take(delivery);
    },
    append: async (request) => {
      if (request.expectedVersion === 0) await checkClear(store);
      return store.append(request);
    },
    health: async () => {
      await checkClear(store);
      return store.health();
    },
  };
}

/** Reads the record, and begins it where there is none. Rejects when the key does not fit the store. */
export async function settleSealing({ store, box, log, readOnly }: SealingDeps): Promise<Extent> {
  for (;;) {
    const record = await store.record('sealing');
    const known = record === undefined ? undefined : readSealing(record, box);
    if (readOnly || known?.hasNewest) {
      if (known?.lacksKey) log.warn(LACKS_KEY);
      return known?.extent ?? 'later';
    }
    const extent = known?.extent ?? ((await isEmpty(store)) ? 'all' : 'later');
    const words = [...(record === undefined ? [] : [record]), sealingWord(box, extent)];
    // Another process may be faster. The record that stands then is read.
    await store.writeRecord('sealing', words.join(' '), record);
  }
}

/**
 * What a living process is to say of its keys: a rotation may have encrypted texts with a key that it lacks. Rejects when
 * none of its keys fits any more.
 */
export async function missingKeys(store: Pick<Store, 'record'>, box: SecretBox): Promise<readonly string[]> {
  const record = await store.record('sealing');
  return record !== undefined && readSealing(record, box).lacksKey ? [LACKS_KEY] : [];
}

/** A record that knows the newest key alone. */
export function sealingWord(box: SecretBox, extent: Extent): string {
  return box.encrypt(extent, PLACE);
}

interface Sealing {
  readonly extent: Extent;
  readonly hasNewest: boolean;
  /** A text may be under a key that `DATA_KEY` does not have any more. */
  readonly lacksKey: boolean;
}

function readSealing(record: string, box: SecretBox): Sealing {
  const words = record.split(' ');
  const opened = words.flatMap((word) => openSecret(box, word, PLACE) ?? []);
  if (opened.length === 0) throw new StoreSetupError(WRONG_KEY);
  return {
    extent: opened.includes('all') ? 'all' : 'later',
    hasNewest: words.some((word) => !box.isOld(word)),
    lacksKey: opened.length < words.length,
  };
}

export async function isEmpty(store: SealingDeps['store']): Promise<boolean> {
  for (const kind of ['run', 'grant', 'workspace'] as const) {
    if ((await store.journals(kind)).length > 0) return false;
  }
  return (await store.inboxes()).length === 0;
}

const PLACE = 'sealing';
const NO_KEY =
  'This store is encrypted, and DATA_KEY is not set. Set it to the key that the bot had before; without it, nothing that ' +
  'people wrote can be read.';
const WRONG_KEY =
  'This store is encrypted, and no key in DATA_KEY opens it. Set DATA_KEY to the key that the bot had before, or put that ' +
  'one behind the new one, with a comma between.';
const LACKS_KEY =
  'DATA_KEY lacks a key that texts in this store may be under; they cannot be read. Add it behind the others, with a ' +
  'comma between, and run npm run keys -- rotate before you drop it.';
const IN_CLEAR = 'What people and the agent write is stored in clear. Set DATA_KEY to encrypt it.';
