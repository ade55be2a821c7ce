import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import type { WorkDeps } from './work.ts';

/* How a process takes a thread in hand in the store, and lets go of it. */

/** A thread that this process has in hand, or is about to. */
export interface ThreadInHand {
  /** It was kicked meanwhile, so it is claimed or advanced once more. */
  again: boolean;
  /**
   * `resting`: it only waits for people, so it is out of `todo`, and its lease is not renewed. While it is claimed or set
   * aside, nothing reads its journal, because that may be what ends a process.
   */
  phase: 'claimed' | 'advanced' | 'set-aside' | 'resting';
  /** Its lease was renewed since the last beat. */
  renewed: boolean;
  /** How often it was held. A rest does not count if the thread was held meanwhile. */
  holds: number;
  /** The request to the store that takes it back. */
  resuming: Promise<boolean> | undefined;
  /** Since when it is advanced as a suspect: a process died with it in hand, and it got no further since. */
  suspectSinceMs: number | undefined;
  free: () => void;
  done: Promise<void>;
}

export interface ClaimsDeps extends Pick<WorkDeps, 'advance' | 'rest' | 'setAside' | 'by' | 'log'> {
  readonly store: Pick<WorkDeps['store'], 'renewTodo' | 'takeInHand' | 'letGo'>;
  /** No other process works on this store, so a lease keeps no thread from this process. */
  readonly isAlone: boolean;
  /** Whether the store has answered all the time lately. If not, other processes may live although their leases are over. */
  readonly isSteady: () => boolean;
  readonly onTrouble: (error: unknown) => void;
}

export interface ClaimsState extends ClaimsDeps {
  readonly inHand: Map<ThreadKey, ThreadInHand>;
  open: boolean;
}

/** Answers how many processes died with it in hand, or nothing when it is not claimed. */
export async function claimNow(state: ClaimsState, thread: ThreadKey): Promise<number | undefined> {
  try {
    return await claimFor(state, thread, { earlyMs: 0, ...(hasSuspect(state) ? { suspectInMs: APART_MS } : {}) });
    // The store is away. The thread is still in `todo`, so a sweep finds it again.
  } catch (error) {
    state.onTrouble(error);
    return undefined;
  }
}

/** After this time, a process tries again to claim a suspect. */
export const APART_MS = 1_000;
/** A process that is alone takes a thread however far ahead it is due, unless the thread is set aside. */
const WHENEVER_MS = 1e12;

export function claimFor(
  { store, by, isAlone, isSteady }: ClaimsState,
  thread: ThreadKey,
  how: { readonly earlyMs: number; readonly suspectInMs?: number },
): Promise<number | undefined> {
  const early = isAlone ? { earlyMs: WHENEVER_MS } : {};
  return store.takeInHand({ thread, by, leaseMs: LIMITS.leaseMs, ...how, ...early, unsure: !isSteady() });
}

/** A suspect that lives for long lets others be tried beside it: a tool may take minutes. */
export function hasSuspect({ inHand }: ClaimsState): boolean {
  const nowMs = performance.now();
  return [...inHand.values()].some(
    ({ suspectSinceMs: sinceMs }) => sinceMs !== undefined && nowMs - sinceMs < LIMITS.suspectMs,
  );
}

/** Notes that this process did not die of the thread. With `inMs`, the thread is offered to all processes after that time. */
export async function letGo(
  { store, by, onTrouble }: ClaimsState,
  thread: ThreadKey,
  claim: ThreadInHand,
  inMs?: number,
): Promise<void> {
  // The caller of `resume` hears of a failure; here it only matters that the request has ended.
  await Promise.allSettled([claim.resuming]);
  // The store is away. The next claim of another process then counts this process as dead.
  await store.letGo(thread, by, inMs).catch(onTrouble);
}
