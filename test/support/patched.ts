import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One place in the sources that a test wants to be otherwise. */
export interface Patch {
  readonly file: string;
  /** Stands there once, to the letter: a patch that does not fit any more must not pass for one that changed nothing. */
  readonly find: string;
  readonly put: string;
}

/** No fold of a journal is kept. */
export const NO_FOLDS: Patch = { file: 'app/limits.ts', find: '  foldedChars: 4_000_000,', put: '  foldedChars: 0,' };

/** Slack's rates, a hundred times as fast: a thousand cards are painted in minutes, not in hours. */
export const FASTER: readonly Patch[] = [
  { file: 'handlers/sender/rates.ts', find: 'const MINUTE_MS = 61_000;', put: 'const MINUTE_MS = 610;' },
  { file: 'handlers/sender/rates.ts', find: 'withinMs: 10_250 };', put: 'withinMs: 102 };' },
];

/** Everything that is waited for or tried again while Redis is slow or away, ten times as fast. What people wait for stays as it is. */
export const TEN_TIMES_AS_FAST: readonly Patch[] = [
  { file: 'app/store/redis/connection/link.ts', find: '  attemptMs: 5_000,', put: '  attemptMs: 500,' },
  { file: 'app/store/redis/connection/subscriber.ts', find: 'const PING_MS = 2_000;', put: 'const PING_MS = 200;' },
  {
    file: 'app/store/redis/connection/subscriber.ts',
    find: 'const SUBSCRIBE_MS = 2_000;',
    put: 'const SUBSCRIBE_MS = 200;',
  },
  { file: 'app/work/redis.ts', find: 'const LOCK_MS = 5_000;', put: 'const LOCK_MS = 500;' },
  { file: 'app/limits.ts', find: '  leaseMs: 5_000,', put: '  leaseMs: 500,' },
  { file: 'app/limits.ts', find: '  postPatienceMs: 4_000,', put: '  postPatienceMs: 400,' },
  { file: 'app/limits.ts', find: '  reconcileMs: 15_000,', put: '  reconcileMs: 1_500,' },
];

const anHour = (name: string, from: string): Patch => ({
  file: 'app/limits.ts',
  find: `  ${name}: ${from},`,
  put: `  ${name}: 3_600_000,`,
});

/** The queue hands nothing out that a dead process had in hand. */
const LOCKED_FOR_AN_HOUR: Patch = {
  file: 'app/work/redis.ts',
  find: 'const LOCK_MS = 5_000;',
  put: 'const LOCK_MS = 3_600_000;',
};

/** What is not over within seconds takes an hour: what is left of the waits of a bot are `leaseMs` and shorter ones of its own. */
export const ONLY_LEASES: readonly Patch[] = [
  anHour('reconcileMs', '15_000'),
  anHour('retryAfterMs', '5_000'),
  LOCKED_FOR_AN_HOUR,
];

/**
 * Every wait that is longer than a second takes an hour, so a bot that needs one of them never comes to the end. What is left
 * are the grace of a decision and the sweep: 725 ms together.
 */
export const ONLY_SHORT_WAITS: readonly Patch[] = [
  anHour('leaseMs', '5_000'),
  anHour('reconcileMs', '15_000'),
  anHour('queuePatienceMs', '3_000'),
  LOCKED_FOR_AN_HOUR,
  // What only waits is let go at a beat, which is a third of a lease.
  { file: 'app/work/sweep.ts', find: 'every(LIMITS.leaseMs / 3, beat)', put: 'every(500, beat)' },
];

/** Runs are kept for two days at least, and no test waits so long. */
export const SOON_REMOVED: Patch = {
  file: 'app/config/retention.ts',
  find: 'const SHORTEST_MS = 2 * 24 * 60 * 60 * 1000;',
  put: 'const SHORTEST_MS = 1_000;',
};

export interface Patched {
  /** A bot can be started from here. */
  readonly folder: string;
  readonly remove: () => void;
}

/** What a bot is made of, and the configurations of tests. */
const SOURCES = ['app', 'handlers', 'interventions', 'example', 'sandbox', 'test/support', 'package.json'];

export function patchedSources(patches: readonly Patch[]): Patched {
  return copyOf(SOURCES, patches);
}

const NOT_COPIED = ['node_modules', '.git', '.data', 'dist'];

/** All that tests are run from: the sources, the tests, the pages and the settings. */
export function wholeProject(): Patched {
  return copyOf(
    readdirSync('.').filter((name) => !NOT_COPIED.includes(name)),
    [],
  );
}

function copyOf(names: readonly string[], patches: readonly Patch[]): Patched {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-patched-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const name of names) cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    for (const patch of patches) applyPatch(patch, folder);
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Returns how it is taken back. */
export function applyPatch({ file, find, put }: Patch, folder: string): () => void {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const places = before.split(find).length - 1;
  if (places !== 1) {
    throw new Error(`A patch of ${file} fits ${places} times in place of once. Write it anew for:\n${find}`);
  }
  // A function, since `$` means something in a text that is put in.
  writeFileSync(
    path,
    before.replace(find, () => put),
  );
  return () => writeFileSync(path, before);
}
