import {
  type ApprovalId,
  type JournalName,
  type RunId,
  type Thread,
  ThreadKey,
  type TrustId,
  threadKey,
} from '../../app/records/index.ts';
import { newId } from '../../app/store/ids.ts';
import { shardOfTeam, shardOfThread } from '../../app/store/keys.ts';
import type { AppendRequest, Store } from '../../app/store/store.ts';

let count = 0;

/** A thread that no other test has. */
export function newThread(): ThreadKey {
  count += 1;
  return ThreadKey.parse(`T1:C1:${count}.0001`);
}

export const newRun = (store: Store, thread: ThreadKey): RunId => newId('r', shardOfThread(thread, store.shards));
export const newApproval = (store: Store, thread: ThreadKey): ApprovalId =>
  newId('a', shardOfThread(thread, store.shards));
export const newGrant = (store: Store): TrustId => newId('g', shardOfTeam('T1', store.shards));

/** An append of one entry, with what the test is about. */
export function appendOf(
  journal: JournalName,
  expectedVersion: number,
  {
    id = newEntryId(),
    text = '{}',
    ...rest
  }: Partial<AppendRequest> & { readonly id?: string; readonly text?: string } = {},
): AppendRequest {
  return { journal, expectedVersion, entries: [{ id, text }], effects: [], ...rest };
}

/** Puts messages with these keys into the inbox of a thread. A journal takes them from there. */
export async function deliver(store: Pick<Store, 'take'>, thread: Thread, keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.take({ key, thread: threadKey(thread), item: '{}' });
}

export function newEntryId(): string {
  count += 1;
  return `e${count}`;
}
