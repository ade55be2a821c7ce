import type { ApprovalId, CardReceipt, GrantId, RunId, Thread, UserId } from '../../records/index.ts';
import type { StartGrant } from '../facts/entries.ts';
import type { TrustedCall } from '../facts/trusted-lines.ts';
import type { AskedApproval, AskedQuestion } from './asked.ts';

/** A run as its entries tell it. Nothing in it is ever changed in place. */
export interface RunState {
  /** Number of entries folded in. */
  readonly version: number;
  readonly run: RunId;
  /** The id of its first entry, which is chance: no other store has a run with the same one. */
  readonly firstEntry: string;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly previous: RunId | undefined;
  /** What the runs before it used. Unknown in the first run of a thread, and in older journals. */
  readonly earlier: RunUsage | undefined;
  readonly startedAtMs: number;
  readonly status: { readonly type: 'running' } | { readonly type: 'finished' } | Stopped;
  /** Length of the run's list of items. */
  readonly items: number;
  /** What makes up the transcript, in order: positions of messages; results stand with their turn. */
  readonly said: readonly Said[];
  readonly turns: number;
  readonly tokens: Tokens;
  /** In which the model and tools worked. */
  readonly workedMs: number;
  /** Of that, the last answer of the model. */
  readonly turnMs: number;
  /** When the model was last told something. */
  readonly sinceMs: number;
  /** Keys of `CallKey`, in the order the calls were first heard of. */
  readonly calls: ReadonlyMap<string, CallState>;
  readonly approvals: ReadonlyMap<ApprovalId, AskedApproval>;
  /** Rules that had their say, as `call rule`. */
  readonly judged: ReadonlySet<string>;
  readonly questions: ReadonlyMap<ApprovalId, AskedQuestion>;
  /** Keys of the messages that are in this run. */
  readonly heard: ReadonlySet<string>;
  /** Words about what could not be read of a message, by its key. */
  readonly unread: ReadonlyMap<string, string>;
  /** What somebody has begun to post, by key; also after it was posted. */
  readonly posting: ReadonlyMap<string, PostBegun>;
  /** What the thread has been told, by key. */
  readonly posted: ReadonlyMap<string, CardReceipt>;
  /** How many calls the line of each trust shows. */
  readonly lines: ReadonlyMap<GrantId, number>;
  /** What is shown while it is written, and not told yet. Without a place: it may stand somewhere, without words. */
  readonly writing: { readonly card: CardReceipt | undefined; readonly by: string | undefined } | undefined;
  /** The newest opinion of each person about each answer, and how many were given in all. */
  readonly feedback: ReadonlyMap<string, 'good' | 'bad'>;
  readonly feedbackGiven: number;
  /** The journal of the workspace knows how it ended; and when it may be removed, if ever. */
  readonly sealed: false | { readonly retireAtMs: number | undefined };
  /** Nobody is there to be told what is owed. */
  readonly unheard: boolean;
}

export interface Stopped {
  readonly type: 'stopped';
  readonly cause: string;
  readonly by?: UserId;
}

export type Said =
  /** `by`: the person who wrote it; absent where an intervention did. */
  | { readonly type: 'message'; readonly item: number; readonly by?: UserId }
  | {
      readonly type: 'turn';
      readonly turn: number;
      readonly item: number;
      readonly says: boolean;
      readonly calls: readonly string[];
      readonly tokens: Tokens;
      /** The model wants nothing more: if nobody says anything after it, the run is at its end. */
      readonly last: boolean;
      readonly stopReason: string;
    };

/** A call as it was begun, for the last time. */
export interface Begun {
  readonly attempt: string;
  readonly startedAtMs: number;
  readonly digest: string;
  /** Unknown in older journals. */
  readonly definition: string | undefined;
  readonly grant: StartGrant;
  /** What the thread is to see of it, on a trust. Unknown in older journals. */
  readonly trusted?: TrustedCall;
  readonly tool: string;
  /** How often it was begun. */
  readonly starts: number;
}

export interface CallState {
  readonly approval?: ApprovalId;
  readonly execution:
    | { readonly type: 'none' }
    | ({ readonly type: 'started' } & Begun)
    | ({ readonly type: 'finished'; readonly ok: boolean; readonly ms: number; readonly item: number } & Begun)
    | ({ readonly type: 'unknown' } & Begun);
  /** The question to people how it came out. */
  readonly doubt?: ApprovalId;
  /** The call that a person put in its place: the same request of the model, once more. */
  readonly retriedAs?: string;
  /** Position of what the model is told; for a finished call at first what the tool returned. */
  readonly answer?: number;
}

/** Who has a post in hand, and since when. */
export interface PostBegun {
  readonly by: string;
  readonly sinceMs: number;
}

/** Tokens by what they cost. `input` was read anew: what came from the cache stands under `cacheRead`. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What the model was used for. Answers that were accepted are in the journal; attempts that came to nothing are not. */
export interface RunUsage {
  readonly runs: number;
  readonly turns: number;
  readonly tokens: Tokens;
}
