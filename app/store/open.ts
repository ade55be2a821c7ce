import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { SecretBox } from '../secrets/index.ts';
import { every } from '../time/index.ts';
import { StoreSetupError, waitedFor } from './errors.ts';
import { type Owner, settleOwner } from './owner.ts';
import { createRedisStore, readRedisUrl } from './redis/index.ts';
import { sealStore } from './sealed.ts';
import { inClear, refuseSealed, settleSealing } from './sealing.ts';
import { createSqliteStore } from './sqlite/index.ts';
import type { Durability, Store } from './store.ts';

const NO_REPLICA =
  "durability is 'replica', and the embedded store is one file on one machine. Set REDIS_URL, or durability to 'disk', " +
  'which it always keeps.';

export interface OpenStoreOptions {
  /** Absent: everything is kept in one file in `dataDir`, for this process alone. */
  readonly redisUrl?: string | undefined;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** For commands that only read: creates and changes nothing, and rejects where nothing is stored. */
  readonly readOnly?: boolean;
  /** For commands that append, also beside a living bot: rejects where nothing is stored. */
  readonly beside?: boolean;
  /** What durable entries must survive before the bot acts on them. */
  readonly durability?: Durability;
  /** For a bot: asked for when the store answers, and before anything is written there. */
  readonly owner?: () => Promise<Owner>;
  /** When given, the texts of entries, items and waiting messages are stored encrypted. */
  readonly box?: SecretBox | undefined;
}

export interface OpenedStore extends Store {
  /** The same store for work that can wait: it waits through an outage instead of failing soon. */
  readonly patient: Store;
  /** Writes again what the engine says of the whole store, where it was emptied. Rejects where its setup would lose facts. */
  readonly settle: () => Promise<void>;
}

/** Opens the store that the settings name. Rejects if its setup would break a promise; waits while Redis is away. */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const { log, owner } = options;
  const store = await openEngine(options);
  try {
    // A store that refuses to write is waited for, like one that is away.
    const { warnings } = await store.patient.health().catch((error: unknown) => ({
      warnings: [waitedFor(error).message],
    }));
    for (const warning of warnings) log.warn(warning);
    const bot = await owner?.();
    if (bot !== undefined) await settleOwner(store.patient, bot);
    const opened = await encrypted(store, options);
    return bot === undefined || store.isExclusive ? opened : keepingRecords(opened, options, bot);
    // The caller gets no store to close, and an open one would keep its lock or its connections.
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function encrypted(store: OpenedStore, { box, log, readOnly = false }: OpenStoreOptions): Promise<OpenedStore> {
  const about = { store: store.patient, log, readOnly };
  if (box === undefined) {
    await refuseSealed(about);
    return readOnly || store.isExclusive ? store : { ...inClear(store), patient: inClear(store.patient) };
  }
  const extent = await settleSealing({ ...about, box });
  return { ...sealStore(store, box, extent), patient: sealStore(store.patient, box, extent) };
}

/**
 * Another bot, a process without the key and the commands go by what the store says of itself. So a bot says it again where
 * its Redis was emptied. It also logs a setup that Redis was given since.
 */
function keepingRecords(store: OpenedStore, { box, log }: OpenStoreOptions, bot: Owner): OpenedStore {
  let said: string | undefined;
  const settle = async () => {
    await settleOwner(store, bot);
    if (box !== undefined && (await store.record('sealing')) === undefined)
      await settleSealing({ store, box, log, readOnly: false });
    await store.settle();
    said = undefined;
  };
  const cancel = every(SETTLED_EVERY_MS, () => {
    settle().catch((error: unknown) => {
      // A store that is away is looked at again. Each fault of the setup is said once.
      if (!(error instanceof StoreSetupError) || error.message === said) return;
      said = error.message;
      log.error(error.message);
    });
  });
  const close = async () => {
    cancel();
    await store.close();
  };
  return { ...store, close };
}

const SETTLED_EVERY_MS = 15_000;

/** The store as it is, without the encryption of its texts. */
export async function openEngine({
  redisUrl,
  dataDir,
  clock,
  log,
  readOnly = false,
  beside = false,
  durability = 'process',
}: OpenStoreOptions): Promise<OpenedStore> {
  if (redisUrl !== undefined)
    return createRedisStore({ place: readRedisUrl(redisUrl), log, readOnly, beside, durability });
  if (durability === 'replica') throw new StoreSetupError(NO_REPLICA);
  const sqlite = createSqliteStore({ dataDir, clock, readOnly, beside });
  return { ...sqlite, patient: sqlite, settle: async () => {} };
}
