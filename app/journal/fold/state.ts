import type { ApprovalId, CardReceipt, RunId, Thread, TrustId, TrustOver, UserId } from '../../records/index.ts';
import type { StartGrant } from '../facts/entries.ts';
import type { TrustedCall } from '../facts/trusted-lines.ts';
import type { AskedApproval, AskedQuestion } from './asked.ts';

/** A run, folded from its entries. Never changed in place. */
export interface RunState {
  /** Number of entries folded in. */
  readonly version: number;
  readonly run: RunId;
  /** The id of the first entry. It is random, so it differs from that of a run in any other store. */
  readonly firstEntry: string;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly previous: RunId | undefined;
  /** What the thread's earlier runs used. Absent in the first run of a thread, and in older journals. */
  readonly earlier: RunUsage | undefined;
  readonly startedAtMs: number;
  readonly status: { readonly type: 'running' } | { readonly type: 'finished' } | Stopped;
  /** Length of the run's list of items. */
  readonly items: number;
  /** The transcript, in order. The results of calls belong to the turn that asked for them. */
  readonly said: readonly Said[];
  readonly turns: number;
  readonly tokens: Tokens;
  /** Time in which the model or a tool worked. */
  readonly workedMs: number;
  /** How much of it went into the model's last answer. */
  readonly turnMs: number;
  /** When the model was last told something. */
  readonly sinceMs: number;
  /** By `callKey`, in the order in which the calls first appeared. */
  readonly calls: ReadonlyMap<string, CallState>;
  readonly approvals: ReadonlyMap<ApprovalId, AskedApproval>;
  /** The policy rules with a `call-judged` entry, as `call rule`. */
  readonly judged: ReadonlySet<string>;
  readonly questions: ReadonlyMap<ApprovalId, AskedQuestion>;
  /** The inbox keys of the messages in this run. */
  readonly heard: ReadonlySet<string>;
  /** What could not be read of a message, by the key of the message. */
  readonly unread: ReadonlyMap<string, string>;
  /** Posts that a process has begun, by key. They stay here after they are posted. */
  readonly posting: ReadonlyMap<string, PostBegun>;
  /** The receipts of posts in the thread, by key. */
  readonly posted: ReadonlyMap<string, CardReceipt>;
  /** The line of each trust on which a call started, or that ended. */
  readonly lines: ReadonlyMap<TrustId, LineState>;
  /** The reply that is being streamed. Without `card`, it may stand in the thread without words. */
  readonly writing: { readonly card: CardReceipt | undefined; readonly by: string | undefined } | undefined;
  /** The newest opinion of each person about each answer, and how many were given in all. */
  readonly feedback: ReadonlyMap<string, 'good' | 'bad'>;
  readonly feedbackGiven: number;
  /** Set when the end is in the journal of the workspace, with the time from which on the run may be removed, if any. */
  readonly sealed: false | { readonly retireAtMs: number | undefined };
  /** Set when Slack takes no posts for the thread any more, so that pending ones are dropped. */
  readonly unheard: false | { readonly cause: string | undefined; readonly atMs: number };
}

export interface LineState {
  /** The version of the journal at the last change that the line has to show, and the version that it shows. */
  readonly news: number;
  readonly shows: number;
  readonly over?: TrustOver;
}

export interface Stopped {
  readonly type: 'stopped';
  readonly cause: string;
  readonly by?: UserId;
}

export type Said =
  /** `by`: the person who wrote it; absent for a message of an intervention. `alsoSteeredBy`: as in `person-said`. */
  | {
      readonly type: 'message';
      readonly item: number;
      readonly by?: UserId;
      readonly alsoSteeredBy?: readonly UserId[];
    }
  | {
      readonly type: 'turn';
      readonly turn: number;
      readonly item: number;
      readonly says: boolean;
      readonly calls: readonly string[];
      readonly tokens: Tokens;
      /** The model asks for no more calls: the run ends here unless a message follows. */
      readonly last: boolean;
      readonly stopReason: string;
    };

/** The latest start of a call. */
export interface Begun {
  readonly attempt: string;
  readonly startedAtMs: number;
  readonly digest: string;
  /** Unknown in older journals. */
  readonly definition: string | undefined;
  readonly grant: StartGrant;
  /** What the thread is told of the call, on a trust. Absent in older journals. */
  readonly trusted?: TrustedCall;
  readonly tool: string;
  /** How often the call was started. */
  readonly starts: number;
}

interface AtLimit {
  /** The time limit of the tool, if the tool reached it. */
  readonly limitMs?: number;
}

export interface CallState {
  readonly approval?: ApprovalId;
  readonly execution:
    | { readonly type: 'none' }
    | ({ readonly type: 'started' } & Begun)
    | ({
        readonly type: 'finished';
        readonly ok: boolean;
        readonly ms: number;
        readonly item: number;
        readonly stopped?: true;
      } & Begun &
        AtLimit)
    | ({ readonly type: 'unknown' } & Begun & AtLimit);
  /** The doubt that asks a person for the outcome. */
  readonly doubt?: ApprovalId;
  /** The new call for the same request of the model, which a person chose to try again. */
  readonly retriedAs?: string;
  /** The item with the call's result for the model. For a finished call it is what the tool returned, unless replaced. */
  readonly answer?: number;
}

/** The process that began a post, and when. */
export interface PostBegun {
  readonly by: string;
  readonly sinceMs: number;
}

/** Tokens by price. `input` does not include the tokens read from the cache: those are `cacheRead`. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Use of the model. It counts the answers in the journal, not failed attempts. */
export interface RunUsage {
  readonly runs: number;
  readonly turns: number;
  readonly tokens: Tokens;
}
