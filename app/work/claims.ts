import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import { withLimit } from '../time/index.ts';
import {
  APART_MS,
  type ClaimsDeps,
  type ClaimsState,
  claimFor,
  claimNow,
  hasSuspect,
  letGo,
  type ThreadInHand,
} from './in-hand.ts';
import type { ThreadOutcome } from './work.ts';

/** The threads that this process has in hand. It advances each once at a time, and renews its lease meanwhile. */
export interface Claims {
  /**
   * Claims the thread and advances it. Resolves when it is over, when it only waits for people, or when it could not be
   * claimed; never rejects.
   */
  readonly take: (thread: ThreadKey) => Promise<void>;
  readonly has: (thread: ThreadKey) => boolean;
  /** As `Work.hold`. */
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  /** Called regularly: renews each thread at work, and lets a thread rest that only waits for people. */
  readonly beat: () => void;
  /** The number of threads at work. */
  readonly busy: () => number;
  readonly close: (limitMs: number) => Promise<'idle' | 'cut'>;
}

export function createClaims(deps: ClaimsDeps): Claims {
  const inHand = new Map<ThreadKey, ThreadInHand>();
  const state: ClaimsState = { ...deps, inHand, open: true };
  return {
    take: (thread) => take(state, thread),
    has: (thread) => inHand.has(thread),
    hold: async (thread) => {
      const claim = inHand.get(thread);
      return claim !== undefined && resume(state, thread, claim);
    },
    beat: () => {
      for (const [thread, claim] of inHand) {
        if (claim.phase === 'advanced') void tryToRest(state, thread, claim);
        if (claim.phase === 'set-aside') renew(state, thread, claim);
      }
    },
    busy: () => [...inHand.values()].filter(({ phase }) => phase !== 'resting').length,
    close: (limitMs) => close(state, limitMs),
  };
}

function take(state: ClaimsState, thread: ThreadKey): Promise<void> {
  const known = state.inHand.get(thread);
  if (known !== undefined) {
    known.again = true;
    return known.phase === 'resting' ? tryToRest(state, thread, known) : Promise.resolve();
  }
  if (!state.open) return Promise.resolve();
  return new Promise((free) => {
    const claim: ThreadInHand = {
      again: false,
      phase: 'claimed',
      renewed: true,
      holds: 0,
      resuming: undefined,
      suspectSinceMs: undefined,
      free,
      done: Promise.resolve(),
    };
    state.inHand.set(thread, claim);
    claim.done = claimAndAdvance(state, thread, claim).finally(() => {
      state.inHand.delete(thread);
      claim.free();
    });
  });
}

/** Threads with which a process died are advanced one at a time, so that the next death shows which it was. */
async function claimAndAdvance(state: ClaimsState, thread: ThreadKey, claim: ThreadInHand): Promise<void> {
  do {
    claim.again = false;
    claim.phase = 'claimed';
    const deaths = await claimNow(state, thread);
    if (deaths === 0) return advanceAll(state, thread, claim);
    if (deaths === undefined) continue;
    if (hasSuspect(state)) return letGo(state, thread, claim, APART_MS);
    claim.suspectSinceMs = performance.now();
    if (deaths < LIMITS.deathsPerRun) return advanceAll(state, thread, claim);
    await setAside(state, thread, claim);
    claim.suspectSinceMs = undefined;
    // A kick may come after the answer of the store, as when a person has the thread tried again.
  } while (claim.again && state.open);
}

async function advanceAll(state: ClaimsState, thread: ThreadKey, claim: ThreadInHand): Promise<void> {
  claim.phase = 'advanced';
  do {
    claim.again = false;
    const end = await advanceOnce(state, thread, claim);
    if (end === 'again') claim.again = true;
    // Another process may have it: a kick is no reason to take it back.
    if (end === 'later') return letGo(state, thread, claim);
    if (typeof end === 'object') return letGo(state, thread, claim, end.offerInMs);
    if (end === 'failed' && !claim.again) return letGo(state, thread, claim);
  } while (claim.again && state.open);
  // Where nothing is left to do, nothing is awaited since the last look at `again`, because a kick in between would be lost.
  if (claim.again) await letGo(state, thread, claim);
}

async function advanceOnce(
  { advance, log }: ClaimsState,
  thread: ThreadKey,
  claim: ThreadInHand,
): Promise<ThreadOutcome | 'failed'> {
  try {
    return await advance(thread, () => {
      claim.again = false;
    });
    // The run or the store failed. The thread is still in `todo`, so a sweep finds it again.
  } catch (error) {
    log.error('A thread could not be advanced; it comes up again.', { thread, error });
    return 'failed';
  }
}

async function setAside(state: ClaimsState, thread: ThreadKey, claim: ThreadInHand): Promise<void> {
  claim.phase = 'set-aside';
  try {
    state.log.error('A thread is set aside: processes ended while they advanced it.', { thread });
    await state.setAside(thread, state.by);
    // Slack or the store is away. The thread is told later, and not advanced before.
  } catch (error) {
    state.log.warn('A thread could not be set aside yet.', { thread, error });
    await letGo(state, thread, claim, LIMITS.retryAfterMs);
  }
}

function renew(state: ClaimsState, thread: ThreadKey, claim: ThreadInHand): void {
  const renewed =
    claim.suspectSinceMs === undefined ? state.store.renewTodo(thread, LIMITS.leaseMs) : look(state, thread, claim);
  // The store is away. The next beat renews again, and without a lease only time is lost.
  renewed.catch(state.onTrouble);
}

/** Renews the lease of a suspect. A thread that has got further is a suspect no longer. */
async function look(state: ClaimsState, thread: ThreadKey, claim: ThreadInHand): Promise<void> {
  if ((await claimFor(state, thread, { earlyMs: 0 })) === 0) claim.suspectSinceMs = undefined;
}

function resume(state: ClaimsState, thread: ThreadKey, claim: ThreadInHand): Promise<boolean> {
  claim.holds += 1;
  if (claim.phase !== 'resting') {
    if (!claim.renewed) renew(state, thread, claim);
    claim.renewed = true;
    return Promise.resolve(true);
  }
  claim.resuming ??= claimFor(state, thread, { earlyMs: LIMITS.graceMs })
    .then((deaths) => {
      const isOurs = deaths !== undefined || state.isAlone;
      if (isOurs) claim.phase = 'advanced';
      return isOurs;
    })
    .finally(() => {
      claim.resuming = undefined;
    });
  return claim.resuming;
}

async function tryToRest(state: ClaimsState, thread: ThreadKey, claim: ThreadInHand): Promise<void> {
  const { inHand, rest, onTrouble } = state;
  const { holds } = claim;
  claim.renewed = false;
  try {
    const rests = await rest(thread);
    if (rests && claim.holds === holds && inHand.get(thread) === claim) {
      claim.phase = 'resting';
      claim.suspectSinceMs = undefined;
      claim.free();
      return;
    }
    if (inHand.get(thread) === claim) await resume(state, thread, claim);
    // The store is away. The thread stays in hand, and the next beat tries again.
  } catch (error) {
    onTrouble(error);
  }
}

/** Lets go of work that it cuts off. Otherwise the store would count this stop as a death. */
async function close(state: ClaimsState, limitMs: number): Promise<'idle' | 'cut'> {
  state.open = false;
  const ended = Promise.all([...state.inHand.values()].map(({ done }) => done)).then(() => 'idle' as const);
  const end = await withLimit(ended, { ms: limitMs, late: 'cut' as const });
  const left = [...state.inHand].map(([thread, claim]) => letGo(state, thread, claim));
  await withLimit(Promise.all(left), { ms: LEAVE_MS, late: [] });
  return end;
}

const LEAVE_MS = 1_000;
