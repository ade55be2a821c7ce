import type { ApprovalId, JournalName, RunId, ThreadKey, TrustId, WorkspaceId } from '../records/index.ts';
import type { DueItem } from './due.ts';
import type { HomeClaims, PaintingClaims, ThreadRecord, Todo } from './todo.ts';

/**
 * Keeps the facts as text, which it does not interpret. It knows positions, deadlines and lists.
 *
 * Decisions and starts of calls rest on one operation: `append` at an expected version succeeds for exactly one writer.
 * Outside an append, only `take`, `takePlace`, `leaveLists`, `removeRun` and `abandon` change facts, each in one step. `reseal`
 * changes their text, not what they say.
 */
export interface Store extends Todo, PaintingClaims, HomeClaims {
  /**
   * True for the embedded store of a bot: no second bot can write to it, so its work never waits for other processes. Only
   * `npm run tools -- allow` appends beside it, to the journal of the deployment.
   */
  readonly isExclusive: boolean;
  /** The number of shards that threads are spread over. `shardOfThread` and `shardOfTeam` need it for a new id. */
  readonly shards: number;

  /** Sending the same append again, with the same entry ids, is harmless and answers `already`. */
  append(request: AppendRequest): Promise<AppendAnswer>;
  /** The entries from position `from` (default 0) on, oldest first, and no more than `most` of them (default: all). */
  read(journal: JournalName, from?: number, most?: number): Promise<JournalPage>;

  /**
   * The names of all journals of a kind, for the audit. They are read from the journals themselves, not from an index.
   * Their order is not promised, and the time grows with their number.
   */
  journals<Kind extends keyof JournalKinds>(kind: Kind): Promise<readonly JournalKinds[Kind][]>;

  /** The items of a run from position `from` (default 0) on. Only `append` writes them. */
  readItems(run: RunId, from?: number): Promise<readonly string[]>;

  /**
   * Takes a delivery once. In one step it marks the delivery as seen, puts it into the inbox of the thread, and puts the
   * thread into `todo`, the list of threads that need work. A thread that is there keeps its time, so its lease holds.
   * `added`: taken, and the thread has a run already.
   */
  take(delivery: TakenDelivery): Promise<Taking>;
  /** With the whole inbox, or its first `most` messages, at least one. */
  thread(thread: ThreadKey, most?: number): Promise<ThreadRecord>;
  /** The threads whose inbox is not empty. Order is not promised, and the time grows with the whole store. */
  inboxes(): Promise<readonly ThreadKey[]>;

  /** Finds the run of an approval by the id in a button. */
  findApproval(approval: ApprovalId): Promise<RunId | undefined>;
  /** The members of an index list, for example the trusts of a scope, or `most` of them. Order is not promised. */
  members(index: IndexName, most?: number): Promise<readonly string[]>;
  /**
   * Puts a member into a list of places unless it is full, in one step: of many callers at the same instant, only as many
   * get `true` as there are places. A member that has a place keeps it, and gets `true` each time.
   */
  takePlace(places: Places): Promise<boolean>;
  /** Removes members from lists. For a caller that has no entry to append: time alone has ended what they name. */
  leaveLists(members: readonly Member[]): Promise<void>;

  /** Takes the items of `DUE` whose time has come. Each is due again after `leaseMs`, until an append removes it. */
  claimDue(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueItem[]>;

  /** Makes an item due `inMs` from now, or never. For a caller that has no entry to append. */
  moveDue(item: DueItem, inMs: number | 'never'): Promise<void>;
  /**
   * Removes a run with its items and index entries, if its journal still has this version; a run that is gone counts as
   * removed. No other operation deletes entries or items, so the caller records the removal elsewhere first.
   */
  removeRun(run: RunRemains): Promise<boolean>;

  /**
   * Listens to the hints of every process on this store, its own included. A hint may be lost, late or doubled. `onGap`
   * says that some may have been lost (a new or renewed subscription), so the listener reconciles.
   */
  watch(listener: HintListener): Promise<{ readonly close: () => Promise<void> }>;

  /** A record about the whole store, as text; `undefined` while it has none. */
  record(of: StoreRecord): Promise<string | undefined>;
  /** Replaces that record if it still is `before`. Answers whether it says `text` now. */
  writeRecord(of: StoreRecord, text: string, before: string | undefined): Promise<boolean>;
  /**
   * Replaces one stored text if it still is `before`, for a change of the key. What it says stays the same. Answers whether
   * it is `after` now.
   */
  reseal(at: StoredText, before: string, after: string): Promise<boolean>;

  /** Rejects when the store cannot be used now, so it tries to write. Also warns of faults in its setup. */
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

/** `sealing`: how the store is encrypted. `owner`: the bot that it belongs to. */
export type StoreRecord = 'sealing' | 'owner';

export interface JournalKinds {
  readonly run: RunId;
  readonly grant: TrustId;
  readonly workspace: WorkspaceId;
}

/**
 * What a stored decision, trust or start of a call must survive before the bot acts on it. `process`: the death of the
 * server's process. `replica`: the loss of its machine, because another machine has a copy. `disk`: a loss of power.
 */
export const DURABILITIES = ['process', 'replica', 'disk'] as const;
export type Durability = (typeof DURABILITIES)[number];

export interface AppendRequest {
  readonly journal: JournalName;
  readonly expectedVersion: number;
  /** The id of the last entry that the caller knows. Another one there is a conflict: the store was set back meanwhile. */
  readonly follows?: string;
  /** At least one. Each is one line of JSON. */
  readonly entries: readonly { readonly id: string; readonly text: string }[];
  /**
   * Long texts (transcript messages, tool results, long inputs), added to the items of the run; entries refer to them by
   * position. They are written with the entries or not at all. So the number of items follows from the version of the
   * journal, and two writers cannot swap each other's items. Runs only.
   */
  readonly items?: readonly string[];
  /** The position of the first of these items: as many as the run has at `expectedVersion`. */
  readonly itemsFrom?: number;
  /** Index changes, made with the entries or not at all. */
  readonly effects: readonly Effect[];
  /** The store answers only when the entries have the deployment's `Durability`, because the caller acts on them. */
  readonly durable?: boolean;
  /** After this time by the store's clock, nothing is written and the answer is `late`. */
  readonly notAfterMs?: number;
  /**
   * Entries of another journal, written with these or not at all. When that journal has changed, the answer is `conflict` as
   * well. Only where `isExclusive`: elsewhere the two may be in different shards.
   */
  readonly beside?: Pick<AppendRequest, 'journal' | 'expectedVersion' | 'follows' | 'entries'>;
}

export type AppendAnswer =
  /** `receivers`: how many watching processes got the hint, if one was published; 0 says that no process waits. */
  | { readonly type: 'ok'; readonly version: number; readonly receivers: number }
  /** `version` is the version right after these entries, as in the `ok` of the first try. */
  | { readonly type: 'already'; readonly version: number }
  | { readonly type: 'conflict'; readonly version: number }
  | { readonly type: 'late'; readonly nowMs: number };

export interface JournalPage {
  readonly entries: readonly { readonly id: string; readonly text: string }[];
  /** Number of entries in the journal, whatever `from` was. 0: there is no such journal. */
  readonly version: number;
  /** The store's clock. No other clock decides. */
  readonly nowMs: number;
}

export type Effect =
  | { readonly type: 'due'; readonly item: DueItem; readonly atMs: number }
  | { readonly type: 'not-due'; readonly item: DueItem }
  /** A process must advance this thread `inMs` from now (store's clock). If it is in `todo`, its time stays. */
  | { readonly type: 'todo'; readonly thread: ThreadKey; readonly inMs: number }
  | { readonly type: 'not-todo'; readonly thread: ThreadKey }
  /** The run of this thread got further, so the deaths before do not count any more. */
  | { readonly type: 'got-further'; readonly thread: ThreadKey }
  | { readonly type: 'approval'; readonly approval: ApprovalId; readonly run: RunId }
  | ({ readonly type: 'member' | 'not-member' } & Member)
  /** The thread's current run; absent: none. */
  | { readonly type: 'current-run'; readonly thread: ThreadKey; readonly run?: RunId }
  /** This run is over, so the list loses its thread. It keeps a thread that has another run by now. */
  | { readonly type: 'run-over'; readonly thread: ThreadKey; readonly run: RunId; readonly index: IndexName }
  /** Changes nothing. If the thread has another run by now, or none, nothing is written: the answer is `late`. */
  | { readonly type: 'still-current'; readonly thread: ThreadKey; readonly run: RunId }
  /** The journal takes these messages from the inbox. If one is not there any more, nothing is written: the answer is `late`. */
  | { readonly type: 'drop-inbox'; readonly thread: ThreadKey; readonly keys: readonly string[] }
  | { readonly type: 'hint'; readonly hint: Hint };

/** What the store keeps of a run besides its journal and its items. */
export interface RunRemains {
  readonly run: RunId;
  readonly version: number;
  readonly thread: ThreadKey;
  readonly approvals: readonly ApprovalId[];
  readonly due: readonly DueItem[];
  readonly members: readonly Member[];
}

/** What one list names. */
export interface Member {
  readonly index: IndexName;
  readonly member: string;
}

/**
 * Lists that help to find and show things. The journals can rebuild all but two. `installations` hold an encrypted
 * token: it must be removable, so no journal may hold it. `places` are limited in number; only `takePlace` fills them.
 */
export interface IndexName {
  readonly what:
    | 'grants'
    | 'waiting'
    | 'asked'
    | 'settled'
    | 'suggested'
    | 'unheard'
    | 'threads'
    | 'tally'
    | 'places'
    | 'installations';
  /** For `grants`, `places` and `installations`: a scope as `scopeKey` writes it. It begins with `<team>:`, which gives the shard. */
  readonly of: string;
}

/** Where one text stands. */
export type StoredText =
  | { readonly type: 'entry'; readonly journal: JournalName; readonly position: number }
  | { readonly type: 'item'; readonly run: RunId; readonly position: number }
  | { readonly type: 'inbox'; readonly thread: ThreadKey; readonly key: string }
  | { readonly type: 'installation'; readonly index: IndexName & { readonly what: 'installations' } };

export interface Places extends Member {
  readonly index: IndexName & { readonly what: 'places' };
  /** The number of places. */
  readonly most: number;
}

export interface TakenDelivery {
  /** One key for each message, under whatever event types and ids Slack delivers it. */
  readonly key: string;
  readonly thread: ThreadKey;
  /** The inbox item as one line of JSON. Without one the key is only marked as seen: no inbox, no `todo`. */
  readonly item?: string;
}

export type Taking = 'taken' | 'added' | 'seen';

export interface Hint {
  readonly thread: ThreadKey;
  readonly run: RunId;
  readonly version: number;
  /** The newest entries, up to this version, where they are short. A listener that knows what is before them need not read. */
  readonly entries?: JournalPage['entries'];
}

export interface HintListener {
  readonly onHint: (hint: Hint) => void;
  readonly onGap: () => void;
}

export interface StoreHealth {
  /** Sentences for the log and `/readyz`; empty when all is well. */
  readonly warnings: readonly string[];
}
