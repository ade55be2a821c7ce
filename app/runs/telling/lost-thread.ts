import { readLine, WorkspaceBody } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import { type InboxMessage, type Thread, type ThreadKey, threadKey } from '../../records/index.ts';
import { type Store, workspaceOf } from '../../store/index.ts';
import type { Surface } from '../../surface.ts';
import { createSharedWork, keepNewest } from '../../time/index.ts';
import { type ForgottenDeps, isForgotten } from './lost-record.ts';

/** Finds the threads of the bot that an emptied store does not know any more. */

export interface LostThreadDeps extends ForgottenDeps {
  readonly store: Pick<Store, 'read' | 'shards'>;
  readonly surface: Pick<Surface, 'ownPosts'>;
  readonly elapsed: () => number;
  readonly log: Log;
}

/** Whether the thread of this message, which has no record, was the bot's own. Never rejects. */
export type IsLostThread = (message: Pick<InboxMessage, 'thread' | 'ts'>) => Promise<boolean>;

/**
 * Searches a thread for posts of the bot. Every message of every channel comes here, so few threads are searched: those
 * that are older than the store, each once, and a few in a minute.
 */
export function createIsLostThread(deps: LostThreadDeps): IsLostThread {
  const { store, surface, elapsed, log } = deps;
  const searchOnce = createSharedWork<boolean | undefined>();
  const ofOthers = new Map<ThreadKey, true>();
  const maySearch = atMostAMinute(LIMITS.lostSearchesAMinute, elapsed);

  const search = async (thread: Thread): Promise<boolean> => {
    const { beganAtMs, nowMs } = await memoryOf(store, thread.team);
    if (beganAtMs <= Number(thread.ts) * 1_000 || !maySearch()) return false;
    if (await isForgotten(deps, await surface.ownPosts(thread), nowMs)) return true;
    keepNewest(ofOthers, threadKey(thread), true, LIMITS.threadsOfOthers);
    return false;
  };

  return async ({ thread, ts }) => {
    const key = threadKey(thread);
    const isBelowRoot = Number(ts) > Number(thread.ts);
    if (!isBelowRoot || ofOthers.has(key)) return false;
    const failed = 'A thread could not be searched for what is lost.';
    // Slack may deliver the message again while the search lasts.
    const isLost = await searchOnce(key, () => orLog(log.warn, failed, { thread: key }, () => search(thread)));
    return isLost ?? false;
  };
}

/** Since when the store remembers this workspace: the first entry of its journal is kept for ever. */
async function memoryOf(store: LostThreadDeps['store'], team: string) {
  const { entries, nowMs } = await store.read(workspaceOf(team, store.shards), 0, 1);
  const [first] = entries;
  return { beganAtMs: first === undefined ? nowMs : readLine(WorkspaceBody, first.text).entry.atMs, nowMs };
}

function atMostAMinute(most: number, elapsed: () => number): () => boolean {
  let begun: readonly number[] = [];
  return () => {
    begun = begun.filter((atMs) => elapsed() - atMs < 60_000);
    if (begun.length >= most) return false;
    begun = [...begun, elapsed()];
    return true;
  };
}
