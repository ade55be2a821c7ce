import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import { withLimit } from '../time/index.ts';
import type { ThreadOutcome, WorkDeps } from './work.ts';

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
  /** Since when it is advanced as a suspect: a process died with it in hand, and it got no further since. */
  suspectSinceMs: number | undefined;
  free: () => void;
  done: Promise<void>;
}

export interface ClaimsDeps extends Pick<WorkDeps, 'advance' | 'rest' | 'setAside' | 'by' | 'log'> {
  readonly store: Pick<WorkDeps['store'], 'renewTodo' | 'takeInHand' | 'letGo'>;
  /** No other process works on this store, so a lease keeps no thread from this process. */
  readonly isAlone: boolean;
  /** Whether the store has answered all the time lately. If not, other processes may not have died of what they did. */
  readonly isSteady: () => boolean;
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
    take: (thread) => take(state, thread),
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

function take(state: State, thread: ThreadKey): Promise<void> {
  const known = state.inHand.get(thread);
  if (known !== undefined) {
    known.again = true;
    return known.resting ? tryToRest(state, thread, known) : Promise.resolve();
  }
  if (!state.open) return Promise.resolve();
  return new Promise((free) => {
    const claim: InHand = {
      again: false,
      resting: false,
      renewed: true,
      holds: 0,
      resuming: undefined,
      suspectSinceMs: undefined,
      free,
      done: Promise.resolve(),
    };
    state.inHand.set(thread, claim);
    claim.done = advanceClaimed(state, thread, claim).finally(() => {
      state.inHand.delete(thread);
      claim.free();
    });
  });
}

/** Of threads with which a process died, one at a time is advanced, so that the next death shows which it was. */
async function advanceClaimed(state: State, thread: ThreadKey, claim: InHand): Promise<void> {
  let deaths: number | undefined;
  try {
    deaths = await claimFor(state, thread, { earlyMs: 0, ...(hasSuspect(state) ? { suspectInMs: APART_MS } : {}) });
    // The store is away. The thread is still in `todo`, so a sweep finds it again.
  } catch (error) {
    state.onTrouble(error);
  }
  if (deaths === undefined) return;
  if (deaths === 0) return advanceAll(state, thread, claim);
  if (hasSuspect(state)) return letGo(state, thread, claim, APART_MS);
  claim.suspectSinceMs = performance.now();
  return deaths < LIMITS.deathsPerRun ? advanceAll(state, thread, claim) : setAside(state, thread, claim);
}

/** How long a suspect waits until it is tried to be claimed again. */
const APART_MS = 1_000;
/** A process that is alone takes a thread whenever that is due, but not one that is set aside. */
const WHENEVER_MS = 1e12;

function claimFor(
  { store, by, isAlone, isSteady }: State,
  thread: ThreadKey,
  how: { readonly earlyMs: number; readonly suspectInMs?: number },
): Promise<number | undefined> {
  const early = isAlone ? { earlyMs: WHENEVER_MS } : {};
  return store.takeInHand({ thread, by, leaseMs: LIMITS.leaseMs, ...how, ...early, unsure: !isSteady() });
}

/** A suspect that lives for long lets others be tried beside it: a tool may take minutes. */
function hasSuspect({ inHand }: State): boolean {
  const nowMs = performance.now();
  return [...inHand.values()].some(
    ({ suspectSinceMs: sinceMs }) => sinceMs !== undefined && nowMs - sinceMs < LIMITS.suspectMs,
  );
}

async function advanceAll(state: State, thread: ThreadKey, claim: InHand): Promise<void> {
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
  { advance, log }: State,
  thread: ThreadKey,
  claim: InHand,
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

async function setAside(state: State, thread: ThreadKey, claim: InHand): Promise<void> {
  try {
    state.log.error('A thread is set aside: processes ended while they advanced it.', { thread });
    await state.setAside(thread, state.by);
    // Slack or the store is away. The thread is told later, and not advanced before.
  } catch (error) {
    state.log.warn('A thread could not be set aside yet.', { thread, error });
    await letGo(state, thread, claim, LIMITS.retryAfterMs);
  }
}

/** Notes that this process did not die of the thread. With `inMs`, the thread is offered to all processes after that time. */
async function letGo({ store, by, onTrouble }: State, thread: ThreadKey, claim: InHand, inMs?: number): Promise<void> {
  // The caller of `resume` hears of a failure; here it only matters that the request has ended.
  await Promise.allSettled([claim.resuming]);
  // The store is away. The next claim of another process then counts this process as dead, unless it was away for all.
  await store.letGo(thread, by, inMs).catch(onTrouble);
}

function renew(state: State, thread: ThreadKey, claim: InHand): void {
  const renewed =
    claim.suspectSinceMs === undefined ? state.store.renewTodo(thread, LIMITS.leaseMs) : look(state, thread, claim);
  // The store is away. The next beat renews again, and without a lease only time is lost.
  renewed.catch(state.onTrouble);
}

/** Renews the lease of a suspect. One that got further is none any more. */
async function look(state: State, thread: ThreadKey, claim: InHand): Promise<void> {
  if ((await claimFor(state, thread, { earlyMs: 0 })) === 0) claim.suspectSinceMs = undefined;
}

function resume(state: State, thread: ThreadKey, claim: InHand): Promise<boolean> {
  claim.holds += 1;
  if (!claim.resting) {
    if (!claim.renewed) renew(state, thread, claim);
    claim.renewed = true;
    return Promise.resolve(true);
  }
  claim.resuming ??= claimFor(state, thread, { earlyMs: LIMITS.graceMs })
    .then((deaths) => {
      const isOurs = deaths !== undefined || state.isAlone;
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

/** Work that is cut off is let go of, or the stop would count as a death of it. */
async function close(state: State, limitMs: number): Promise<'idle' | 'cut'> {
  state.open = false;
  const ended = Promise.all([...state.inHand.values()].map(({ done }) => done)).then(() => 'idle' as const);
  const end = await withLimit(ended, { ms: limitMs, late: 'cut' as const });
  const left = [...state.inHand].map(([thread, claim]) => letGo(state, thread, claim));
  await withLimit(Promise.all(left), { ms: LEAVE_MS, late: [] });
  return end;
}

const LEAVE_MS = 1_000;
