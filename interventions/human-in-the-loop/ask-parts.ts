import type { Json, ToolUseBlock } from '../messages.ts';
import type { Interrupt, Place } from '../pipeline/interrupt.ts';
import type { InterruptBook } from '../pipeline/interrupt-book.ts';
import type { Profile } from '../pipeline/profile.ts';
import type { HandlerReaction } from '../pipeline/reaction.ts';
import type { RefusalCause, Subject } from '../pipeline/settlement.ts';
import type { Turnstile } from '../pipeline/turnstile.ts';
import type { Clock, Timers } from '../time.ts';

/** What a callback that asks a person is told besides the prompt. */
export interface AskExtras {
  /** What would really run. */
  readonly toolUse: ToolUseBlock;
  readonly digest: string;
  readonly question: Json;
  readonly interruptId: string;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal;
  /** Approvals so far, when several people must approve. */
  readonly approvals: readonly Json[];
  /** Why the answer before this one did not count. */
  readonly problem?: string;
}

/** The same at a moment where there may be no tool call to speak of. */
export type MomentExtras = Omit<AskExtras, 'toolUse'> & Partial<Pick<AskExtras, 'toolUse'>>;

/** What becomes of a call that is not any more what a person was asked about. It never simply runs. */
export type WhenChanged = 'askAgain' | 'deny';

/** What all questions about one call come to. */
export type Settled =
  /** There was no question. This is no yes: whether the call runs is for the verdict to say. */
  | { readonly type: 'notAsked' }
  | {
      readonly type: 'approved';
      readonly editedInput?: Json;
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
  /** Of what they are shown, as it is now: an answer is good for this and nothing else. */
  readonly digest: () => string;
  /** What would run, or has run. Absent where no tool call is asked about. */
  readonly toolUse: () => ToolUseBlock | undefined;
}

export interface AskParts {
  readonly about: Asked;
  readonly place: Place;
  readonly book: InterruptBook;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Bounds how many people are asked at once. */
  readonly turnstile: Turnstile;
  /** What was approved by approving an edit: `handler digest`. */
  readonly grants: ReadonlySet<string>;
  /** Default `askAgain`. */
  readonly whenChanged?: WhenChanged;
  /** Only register what pauses; nobody is asked while the call has to pause anyway. */
  readonly pauses: boolean;
  /** Why an edited input cannot be used, or nothing. */
  readonly checkEdit: (input: Json) => string | undefined;
  readonly onWait?: (interruptId: string) => void;
}
