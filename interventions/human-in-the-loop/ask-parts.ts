import type { Warning } from '../hooks/loop-event.ts';
import type { Json, ToolUseBlock } from '../messages.ts';
import type { Interrupt, Place } from '../pipeline/interrupt.ts';
import type { InterruptBook } from '../pipeline/interrupt-book.ts';
import type { Profile } from '../pipeline/profile.ts';
import type { HandlerReaction } from '../pipeline/reaction.ts';
import type { RefusalCause, Subject } from '../pipeline/settlement.ts';
import type { Turnstile } from '../pipeline/turnstile.ts';
import type { Clock, Timers } from '../time.ts';

/** What a callback that asks a person gets besides the prompt. */
export interface AskExtras {
  /** The call that would really run. */
  readonly toolUse: ToolUseBlock;
  readonly digest: string;
  readonly question: Json;
  readonly interruptId: string;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Approvals so far, when several people must approve. */
  readonly approvals: readonly Json[];
  /** Why the previous answer did not count. */
  readonly problem?: string;
}

/** The same for a moment that may have no tool call. */
export type MomentExtras = Omit<AskExtras, 'toolUse'> & Partial<Pick<AskExtras, 'toolUse'>>;

/** What happens to a call that changed after a person was asked about it. It never simply runs. */
export type WhenChanged = 'askAgain' | 'deny';

/** The result of all questions about one call. */
export type Settled =
  /** There was no question. This is not an approval: the verdict says whether the call runs. */
  | { readonly type: 'notAsked' }
  | {
      readonly type: 'approved';
      readonly editedInput?: Json;
      /** The handler that got this edit. The others have approved the input before it. */
      readonly editedBy?: string;
      readonly approvers: readonly string[];
      readonly reactions: readonly HandlerReaction[];
    }
  | {
      readonly type: 'refused';
      readonly handler: string;
      readonly because: RefusalCause;
      readonly text: string;
      readonly approvers: readonly string[];
      readonly reactions: readonly HandlerReaction[];
    }
  | {
      readonly type: 'answered';
      readonly handler: string;
      readonly text: string;
      readonly approvers: readonly string[];
    }
  | { readonly type: 'interrupted'; readonly interrupts: readonly Interrupt[] };

/** What people are asked about. */
export interface Asked {
  readonly subject: Subject;
  readonly signal: AbortSignal;
  /** The digest of what people are shown, as it is now. An answer counts for exactly this. */
  readonly digest: () => string;
  /** The call that would run, or has run. Absent when people are not asked about a tool call. */
  readonly toolUse: () => ToolUseBlock | undefined;
}

export interface AskParts {
  readonly about: Asked;
  readonly place: Place;
  readonly book: InterruptBook;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Limits how many people are asked at once. */
  readonly turnstile: Turnstile;
  /** What was approved by approving an edit: `handler digest`. */
  readonly grants: ReadonlySet<string>;
  /** Hears of a handler whose failure refuses what it asked about. */
  readonly warn?: (warning: Warning) => void;
  /** Default `askAgain`. */
  readonly whenChanged?: WhenChanged;
  /** Only registers questions that pause, because the call has to pause anyway. */
  readonly pauses: boolean;
  /** Why an edited input cannot be used, or `undefined`. */
  readonly checkEdit: (input: Json) => string | undefined;
  readonly onWait?: (interruptId: string) => void;
}

/** What one question shares with the others. */
export interface InLine {
  /** Aborted when the question is void. */
  readonly signal: AbortSignal;
  /** Waits for a place among the questions that people are asked at once. */
  readonly enter: () => Promise<void>;
}
