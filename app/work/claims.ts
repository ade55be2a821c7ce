import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import { withLimit } from '../time/index.ts';
import type { WorkDeps } from './work.ts';

/** The threads that this process has in hand. It advances each once at a time, and renews its lease meanwhile. */
export interface Claims {
  /**
   * Advances the thread. Resolves when it is over, or when it only waits for people; never rejects. The lease of a thread
   * that is `claimed` has just begun.
   */
  readonly take: (thread: ThreadKey, how?: 'claimed') => Promise<void>;
  readonly has: (thread: ThreadKey) => boolean;
  /** As `Work.hold`. */
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  /** Called regularly: renews each thread at work, and lets a thread rest that only waits for people. */
  readonly beat: () => void;
  /** The number of threads at work. */
  readonly busy: () => number;
  readonly close: (limitMs: number) => Promise<'idle' | 'cut'>;
}

interface InHand {
  /** It was kicked meanwhile, so it is advanced once more. */
  again: boolean;
  /** It only waits for people: it is out of `todo`, and its lease is not renewed. */
  resting: boolean;
  /** Its lease was renewed since the last beat. */
  renewed: boolean;
  /** How often it was held. A rest does not count if the thread was held meanwhile. */
  holds: number;
  /** The request to the store that takes it back. */
  resuming: Promise<boolean> | undefined;
  free: () => void;
  done: Promise<void>;
}

export interface ClaimsDeps extends Pick<WorkDeps, 'advance' | 'rest' | 'log'> {
  readonly store: Pick<WorkDeps['store'], 'renewTodo'>;
  /** Takes a thread back that rested. `false` when another process has it now. */
  readonly reclaim: (thread: ThreadKey) => Promise<boolean>;
  readonly onTrouble: (error: unknown) => void;
}

interface State extends ClaimsDeps {
  readonly inHand: Map<ThreadKey, InHand>;
  open: boolean;
}

export function createClaims(deps: ClaimsDeps): Claims {
  const inHand = new Map<ThreadKey, InHand>();
  const state: State = { ...deps, inHand, open: true };
  return {
    take: (thread, how) => take(state, thread, how),
    has: (thread) => inHand.has(thread),
    hold: async (thread) => {
      const claim = inHand.get(thread);
      return claim !== undefined && resume(state, thread, claim);
    },
    beat: () => {
      for (const [thread, claim] of inHand) if (!claim.resting) void tryToRest(state, thread, claim);
    },
    busy: () => [...inHand.values()].filter(({ resting }) => !resting).length,
    close: (limitMs) => close(state, limitMs),
  };
}

function take(state: State, thread: ThreadKey, how: 'claimed' | undefined): Promise<void> {
  const known = state.inHand.get(thread);
  if (known !== undefined) {
    known.again = true;
    return known.resting ? tryToRest(state, thread, known) : Promise.resolve();
  }
  if (!state.open) return Promise.resolve();
  if (how !== 'claimed') renew(state, thread);
  return new Promise((free) => {
    const claim: InHand = {
      again: false,
      resting: false,
      renewed: true,
      holds: 0,
      resuming: undefined,
      free,
      done: Promise.resolve(),
    };
    state.inHand.set(thread, claim);
    claim.done = advanceAll(state, thread, claim);
  });
}

async function advanceAll(state: State, thread: ThreadKey, claim: InHand): Promise<void> {
  do {
    claim.again = false;
    try {
      const end = await state.advance(thread, () => {
        claim.again = false;
      });
      if (end === 'again') claim.again = true;
      // Another process may have it: a kick is no reason to take it back.
      if (end === 'later' || typeof end === 'object') claim.again = false;
      if (typeof end === 'object') await offer(state, thread, claim, end.offerInMs);
      // The run or the store failed. The thread is still in `todo`, so a sweep finds it again.
    } catch (error) {
      state.log.error('A thread could not be advanced; it comes up again.', { thread, error });
    }
  } while (claim.again && state.open);
  // Nothing is awaited since the last look at `again`, because a kick in between would be lost.
  state.inHand.delete(thread);
  claim.free();
}

/** Offers the thread to all processes, unless another one has taken it meanwhile. */
async function offer({ store }: State, thread: ThreadKey, claim: InHand, inMs: number): Promise<void> {
  // The caller of `resume` hears of a failure; here it only matters that the request has ended.
  await Promise.allSettled([claim.resuming]);
  if (!claim.resting) await store.renewTodo(thread, inMs);
}

function renew({ store, onTrouble }: State, thread: ThreadKey): void {
  // The store is away. The next beat renews again, and without a lease only time is lost.
  store.renewTodo(thread, LIMITS.leaseMs).catch(onTrouble);
}

function resume(state: State, thread: ThreadKey, claim: InHand): Promise<boolean> {
  claim.holds += 1;
  if (!claim.resting) {
    if (!claim.renewed) renew(state, thread);
    claim.renewed = true;
    return Promise.resolve(true);
  }
  claim.resuming ??= state
    .reclaim(thread)
    .then((isOurs) => {
      if (isOurs) claim.resting = false;
      return isOurs;
    })
    .finally(() => {
      claim.resuming = undefined;
    });
  return claim.resuming;
}

async function tryToRest(state: State, thread: ThreadKey, claim: InHand): Promise<void> {
  const { inHand, rest, onTrouble } = state;
  const { holds } = claim;
  claim.renewed = false;
  try {
    const rests = await rest(thread);
    if (rests && claim.holds === holds && inHand.get(thread) === claim) {
      claim.resting = true;
      claim.free();
      return;
    }
    if (inHand.get(thread) === claim) await resume(state, thread, claim);
    // The store is away. The thread stays in hand, and the next beat tries again.
  } catch (error) {
    onTrouble(error);
  }
}

function close(state: State, limitMs: number): Promise<'idle' | 'cut'> {
  state.open = false;
  const ended = Promise.all([...state.inHand.values()].map(({ done }) => done)).then(() => 'idle' as const);
  return withLimit(ended, { ms: limitMs, late: 'cut' as const });
}
