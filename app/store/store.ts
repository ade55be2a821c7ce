import type { ApprovalId, GrantId, JournalName, RunId, ThreadKey, WorkspaceId } from '../records/index.ts';

/**
 * Where facts are kept. It knows positions, deadlines and lists; it never knows what an approval is.
 *
 * One operation is hard and carries every promise: `append` at an expected version succeeds for exactly one writer.
 * Everything else is either written inside an append, or only makes things happen sooner.
 */
export interface Store {
  /** No second process can open this store: the embedded one. Nothing waits for other processes there. */
  readonly isExclusive: boolean;
  /** Into how many shards threads are spread: what `shardOfThread` and `shardOfTeam` need for a new id. */
  readonly shards: number;

  /** Sending the same append again, with the same entry ids, is harmless and answers `already`. */
  append(request: AppendRequest): Promise<AppendAnswer>;
  /** The entries from position `from` (default 0) on, oldest first. */
  read(journal: JournalName, from?: number): Promise<JournalPage>;

  /**
   * The names of all journals of a kind, as they are found in the store and not in an index of ours: for the audit.
   * Order is not promised, and it takes as long as there are journals.
   */
  journals<Kind extends keyof JournalKinds>(kind: Kind): Promise<readonly JournalKinds[Kind][]>;

  /** The run's append-only list of big things, written by `append` only, from position `from` (default 0) on. */
  readItems(run: RunId, from?: number): Promise<readonly string[]>;

  /**
   * A delivery is taken once: marks it seen, puts it into the thread's inbox, and the thread into `todo` unless it is
   * there already, all at once. Whoever works on the thread keeps its lease.
   */
  take(delivery: TakenDelivery): Promise<'taken' | 'seen'>;
  thread(thread: ThreadKey): Promise<ThreadRecord>;

  /** Finds the run an approval belongs to, from nothing but the id in a button. */
  findApproval(approval: ApprovalId): Promise<RunId | undefined>;
  /** The members of an index list, for example the grants of a scope. Order is not promised. */
  members(index: IndexName): Promise<readonly string[]>;
  /**
   * Puts somebody into a list of places unless it is full, in one step: of those who come at the same instant, only as many
   * as there are places are told `true`. Whoever is in it has their place, however often they ask.
   */
  takePlace(places: Places): Promise<boolean>;

  /** Takes what is due in `todo` and moves each forward by `leaseMs`, so that one caller at a time gets a thread. */
  claimTodo(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly ThreadKey[]>;
  /**
   * The same for one thread, also when it is due within `earlyMs`; `false` when it is not, because somebody has it or
   * nobody has to.
   */
  claimThread(thread: ThreadKey, leaseMs: number, earlyMs?: number): Promise<boolean>;
  /** Moves a thread that is being advanced forward again. */
  renewTodo(thread: ThreadKey, leaseMs: number): Promise<void>;
  /**
   * Removes a thread from `todo` if nothing has happened since the caller looked: same run, same version of its
   * journal, same length of the inbox. Answers whether it did.
   */
  restTodo(seen: SeenThread): Promise<boolean>;
  /** Takes what is due (expiry, notices, reminders, escalation, retention) and moves each forward by `leaseMs`; an append removes it. */
  claimDue(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueItem[]>;

  /** For what has nothing to append to: it comes up again so much later, or never. */
  moveDue(item: DueItem, inMs: number | 'never'): Promise<void>;
  /**
   * Removes a run with its items and all that finds it, if it still has this version; a run that is gone is removed. The
   * one operation that forgets: whoever calls it has written elsewhere that it is right.
   */
  removeRun(run: RunRemains): Promise<boolean>;

  /**
   * Hints from every process on this store, own ones too. They may be lost, late or doubled. `onGap` tells that some
   * may have been lost (a new or renewed subscription), so the listener reconciles.
   */
  watch(listener: HintListener): Promise<{ readonly close: () => Promise<void> }>;

  /** Rejects when the store cannot be used now. Also says what is wrong with how it is set up. */
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

export interface JournalKinds {
  readonly run: RunId;
  readonly grant: GrantId;
  readonly workspace: WorkspaceId;
}

export interface AppendRequest {
  readonly journal: JournalName;
  readonly expectedVersion: number;
  /** At least one. Each is one line of JSON. */
  readonly entries: readonly { readonly id: string; readonly text: string }[];
  /**
   * Big things (transcript messages, tool results, long inputs) for the end of the run's list of items; entries refer
   * to them by position. They are written with the entries or not at all, so the length of the list follows from the
   * version of the journal and two writers can never swap each other's items. Runs only.
   */
  readonly items?: readonly string[];
  /** Index changes that happen with it or not at all. */
  readonly effects: readonly Effect[];
  /** Somebody acts on it at once: it is answered only when it is as safe as the deployment asks. */
  readonly durable?: boolean;
  /** Later than this by the store's clock, nothing is written: the answer is `late`. */
  readonly notAfterMs?: number;
}

export type AppendAnswer =
  /** `receivers`: how many watching processes got the hint, if one was published; 0 says that nobody is waiting. */
  | { readonly type: 'ok'; readonly version: number; readonly receivers: number }
  /** `version` is the one right behind these entries, as `ok` said or would have said. */
  | { readonly type: 'already'; readonly version: number }
  | { readonly type: 'conflict'; readonly version: number }
  | { readonly type: 'late'; readonly nowMs: number };

export interface JournalPage {
  readonly entries: readonly { readonly id: string; readonly text: string }[];
  /** Number of entries in the journal, whatever `from` was. 0: there is no such journal. */
  readonly version: number;
  /** The store's clock, the only one that decides. */
  readonly nowMs: number;
}

export type Effect =
  | { readonly type: 'due'; readonly item: DueItem; readonly atMs: number }
  | { readonly type: 'not-due'; readonly item: DueItem }
  /** Somebody must have advanced this thread `inMs` from now (store's clock); an earlier time stands. */
  | { readonly type: 'todo'; readonly thread: ThreadKey; readonly inMs: number }
  | { readonly type: 'not-todo'; readonly thread: ThreadKey }
  | { readonly type: 'approval'; readonly approval: ApprovalId; readonly run: RunId }
  | { readonly type: 'member'; readonly index: IndexName; readonly member: string }
  | { readonly type: 'not-member'; readonly index: IndexName; readonly member: string }
  /** The thread's current run; absent: none. */
  | { readonly type: 'current-run'; readonly thread: ThreadKey; readonly run?: RunId }
  /** These inbox items are in the journal now. */
  | { readonly type: 'drop-inbox'; readonly thread: ThreadKey; readonly keys: readonly string[] }
  | { readonly type: 'hint'; readonly hint: Hint };

export const DUE = ['expiry', 'notice', 'reminder', 'escalation', 'retention'] as const;

/** What has a time: `subject` is an approval or a run. */
export interface DueItem {
  readonly what: (typeof DUE)[number];
  readonly subject: ApprovalId | RunId | GrantId;
}

/** What is kept of a run besides its journal and its items. */
export interface RunRemains {
  readonly run: RunId;
  readonly version: number;
  readonly thread: ThreadKey;
  readonly approvals: readonly ApprovalId[];
  readonly due: readonly DueItem[];
  readonly members: readonly { readonly index: IndexName; readonly member: string }[];
}

/**
 * Lists that can be rebuilt from the journals, for showing only. Except for `installations`, which hold what no journal may
 * keep: a token, encrypted. It must be possible to forget it. And for `places`, of which only so many are given away.
 */
export interface IndexName {
  readonly what: 'grants' | 'waiting' | 'asked' | 'settled' | 'threads' | 'tally' | 'places' | 'installations';
  /** For grants, places and installations: a scope as `scopeKey` writes it. It begins with `<team>:`, which says where the list is kept. */
  readonly of: string;
}

export interface Places {
  readonly index: IndexName & { readonly what: 'places' };
  readonly member: string;
  /** How many there are. */
  readonly most: number;
}

export interface TakenDelivery {
  /** One for each message, whatever the event kinds and ids it arrives under. */
  readonly key: string;
  readonly thread: ThreadKey;
  /** The inbox item as one line of JSON. Without one the key is only marked as seen: no inbox, no `todo`. */
  readonly item?: string;
}

export interface ThreadRecord {
  readonly currentRun: RunId | undefined;
  readonly inbox: readonly { readonly key: string; readonly item: string }[];
  readonly nowMs: number;
}

export interface SeenThread {
  readonly thread: ThreadKey;
  readonly run: RunId | undefined;
  readonly version: number;
  readonly inboxLength: number;
}

export interface Hint {
  readonly thread: ThreadKey;
  readonly run: RunId;
  readonly version: number;
}

export interface HintListener {
  readonly onHint: (hint: Hint) => void;
  readonly onGap: () => void;
}

export interface StoreHealth {
  /** Sentences for the log and `/readyz`; empty when all is well. */
  readonly warnings: readonly string[];
}
