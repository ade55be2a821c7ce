import { hash, randomFillSync } from 'node:crypto';
import { ApprovalId, RunId, type ThreadKey, TrustId, WorkspaceId } from '../records/index.ts';
import { digits } from './keys.ts';
import type { JournalKinds } from './store.ts';

interface Ids {
  readonly r: RunId;
  readonly a: ApprovalId;
  readonly g: TrustId;
  readonly w: WorkspaceId;
}

const KINDS: { readonly [Letter in keyof Ids]: { readonly parse: (text: string) => Ids[Letter] } } = {
  r: RunId,
  a: ApprovalId,
  g: TrustId,
  w: WorkspaceId,
};

/**
 * A new name for a run, an approval, a trust or a workspace. It cannot be guessed. It begins with the shard of the store
 * to ask: that of the thread (runs, approvals) or of the team (trusts, workspaces).
 */
export function newId<Letter extends keyof Ids>(letter: Letter, shard: number): Ids[Letter] {
  return KINDS[letter].parse(`${digits(shard)}${letter}${randomText(16)}`);
}

/** A new id of an entry. */
export const newEntryId = (): string => randomText(9);

/** Random bytes are drawn for many ids at once, because each draw costs more than the bytes. None is used twice. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

function randomText(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('base64url', used - bytes, used);
}

/** Gives the same name for the same first message, so that two processes start one run. */
export function runIdFor(thread: ThreadKey, message: string, shard: number): RunId {
  return idFor('r', `run ${thread} ${message}`, shard);
}

/** Gives the same name for the same words, so that a repeat gives no second trust. */
export function trustIdFor(team: string, delivery: string, shard: number): TrustId {
  return idFor('g', `trust ${team} ${delivery}`, shard);
}

function idFor<Letter extends keyof Ids>(letter: Letter, text: string, shard: number): Ids[Letter] {
  const digest = hash('sha256', text, 'buffer').subarray(0, 16);
  return KINDS[letter].parse(`${digits(shard)}${letter}${digest.toString('base64url')}`);
}

const JOURNALS: {
  readonly [Kind in keyof JournalKinds]: {
    readonly letter: string;
    readonly read: (name: string) => JournalKinds[Kind] | undefined;
  };
} = {
  run: { letter: 'r', read: (name) => RunId.safeParse(name).data },
  grant: { letter: 'g', read: (name) => TrustId.safeParse(name).data },
  workspace: { letter: 'w', read: (name) => WorkspaceId.safeParse(name).data },
};

/** The third letter of every name of this kind. */
export function letterOf(kind: keyof JournalKinds): string {
  return JOURNALS[kind].letter;
}

/** Keeps the names of this kind, and drops keys that the bot has not written. */
export function readNames<Kind extends keyof JournalKinds>(
  kind: Kind,
  names: readonly string[],
): readonly JournalKinds[Kind][] {
  return names.flatMap((name) => JOURNALS[kind].read(name) ?? []);
}
