import type { ApprovalId, Person, RunId, ThreadKey, TrustId } from '../records/index.ts';

/** The list of threads that a process must advance, by time, and which process has each in hand. */
export interface Todo {
  /** Takes the threads that are due in `todo`. Each is due again after `leaseMs`, so one caller at a time gets it. */
  claimTodo(request: ClaimTodo): Promise<readonly ThreadKey[]>;
  /**
   * The same for one thread, also when it is due within `earlyMs`. `false` when it is not due: another process has it, or
   * it needs no work.
   */
  claimThread(thread: ThreadKey, leaseMs: number, earlyMs: number): Promise<boolean>;
  /**
   * Claims a thread and notes that this process has it in hand, in one step. The note stays until the thread rests or the
   * process lets go of it. So a note of another process says that this process died, or stood still for longer than its
   * lease. Answers how many did so in a row while the thread got no further; `undefined` when it was not claimed. After the
   * first, a death of a process that had other threads of the shard in hand counts half, because any of them may be its cause.
   */
  takeInHand(claim: ClaimInHand): Promise<number | undefined>;
  /** Extends the lease of a thread that a process advances. */
  renewTodo(thread: ThreadKey, leaseMs: number): Promise<void>;
  /**
   * Removes the note of this process, and makes the thread due after `inMs`. Absent: its time stays. Where another process
   * has the thread meanwhile, this one was counted as dead and lives, so only the count is corrected.
   */
  letGo(thread: ThreadKey, by: string, inMs?: number): Promise<void>;
  /**
   * Removes a thread from `todo` if nothing has happened since the caller looked: same run, same version of its
   * journal, same length of the inbox, and it is not set aside. Answers whether it did.
   */
  restTodo(seen: SeenThread): Promise<boolean>;

  /**
   * Lets no process claim a thread of `todo` until `takeUp`. Its inbox and its journal still take what comes. With `from`, only
   * while that process has it in hand, and so many died with it. Never while it is `left`. Answers whether it did.
   */
  setAside(
    thread: ThreadKey,
    how: Exclude<Aside, 'left'>,
    from?: { readonly by: string; readonly deaths: number },
  ): Promise<boolean>;
  /**
   * Ends that, and makes the thread due now, in no process's hand. `deaths`: as many processes count as dead with it in hand.
   * Does nothing where no more than that count, and the thread is not set aside. A thread that is `left` ends with `told` alone.
   */
  takeUp(thread: ThreadKey, deaths: number | 'told'): Promise<void>;
  /**
   * Ends that as well, and forgets that this is the run of the thread; its journal stays as it is. The first `seen`
   * messages of the inbox are forgotten; left out, all are. The thread is `left` and due now until `takeUp`, so a process tells it. Does nothing where it is `left` already or has another
   * run by now. Answers whether the thread is left.
   */
  abandon(thread: ThreadKey, run: RunId | undefined, seen?: number): Promise<boolean>;
}

export interface ThreadRecord {
  readonly currentRun: RunId | undefined;
  readonly inbox: readonly { readonly key: string; readonly item: string }[];
  /** Of the whole inbox. */
  readonly inboxLength: number;
  /** Present while the thread is set aside. */
  readonly aside?: Aside;
  /** How many processes died with it in hand, as `takeInHand` counts them. */
  readonly deaths: number;
  readonly nowMs: number;
}

/**
 * `stopping`: a person has asked for the run to be stopped, and the process that began to do so may have died of it. `left`: the
 * thread was abandoned, and is not told so yet.
 */
export type Aside = 'waiting' | 'stopping' | 'left';

/** Which process paints a card, the direct messages about it, or the line of a trust. A claim that is lost costs a second painting, and nothing else. */
export interface PaintingClaims {
  /**
   * Claims a painting for this process. Answers which state another process paints at this moment, or `undefined` when it is
   * claimed. The claim ends after `leaseMs`, unless its process claims the same again.
   */
  claimPainting(claim: PaintingClaim): Promise<string | undefined>;
  /** Ends the claim of the caller. */
  releasePainting(painting: ClaimedPainting): Promise<void>;
}

export interface ClaimedPainting {
  /** The question or the list that is shown, or the run with the calls on a trust. */
  readonly of: ApprovalId | RunId;
  readonly what: 'card' | 'copies' | `line/${TrustId}`;
}

export interface PaintingClaim extends ClaimedPainting {
  readonly state: string;
  /** The process. */
  readonly by: string;
  readonly leaseMs: number;
}

/** Which process publishes the Home page of a person, and what the page shows. If either is lost, an equal page is published, and nothing else. */
export interface HomeClaims {
  /**
   * Claims a page for this process. Answers what it shows, as the process that had it last has said, and forgets that. The
   * claim ends after `forMs`, unless its process keeps it.
   */
  claimHome(claim: HomeClaim): Promise<HomeShows | 'unknown' | 'elsewhere'>;
  /** Extends the claim of the caller, or ends it with what the page shows. `false`: it was lost before. */
  keepHome(claim: HomeClaim, shows?: string): Promise<boolean>;
}

export interface HomeClaim {
  readonly person: Person;
  /** The process. */
  readonly by: string;
  readonly forMs: number;
}

export interface HomeShows {
  /** A hash. */
  readonly shows: string;
  /** How long this is still known. */
  readonly forMs: number;
}

export interface ClaimTodo {
  readonly limit: number;
  readonly leaseMs: number;
  /** A thread that is further ahead is due as well, unless it is set aside: the clock of the store was set back. */
  readonly mostMs?: number;
}

export interface ClaimInHand {
  readonly thread: ThreadKey;
  /** The process. */
  readonly by: string;
  readonly leaseMs: number;
  readonly earlyMs: number;
  /** A thread with which a process died is not claimed. It is made due after this time. */
  readonly suspectInMs?: number;
  /** The store was away lately: another process that has the thread in hand may be alive, and keeps it. */
  readonly unsure?: boolean;
}

export interface SeenThread {
  readonly thread: ThreadKey;
  readonly run: RunId | undefined;
  readonly version: number;
  readonly inboxLength: number;
}
