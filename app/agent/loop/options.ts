import {
  type AnyHandler,
  type AppState,
  type AuditSink,
  type Clock,
  GUIDANCE_LIMITS,
  type GuidanceLimits,
  type HookProvider,
  type HookRegistry,
  type InvocationState,
  type Json,
  type Judge,
  type Message,
  type Profile,
  type Timers,
  type ToolResultBlock,
  type ToolUseBlock,
  type Warning,
  type WhenChanged,
} from '../../../interventions/index.ts';
import type { LoopTool, ModelFunction, RecordFact } from '../ports.ts';
import type { LoopState } from '../transcript.ts';

/** How interventions work, as far as it can be chosen. Each default is the safest choice. */
export interface LoopChoices {
  /** A call that changed since a person was asked is shown again (`askAgain`, the default), or denied. */
  readonly whenChanged?: WhenChanged;
  /** What a refused invocation leaves in the transcript: its input and the refusal (`storePair`, the default), or neither. */
  readonly deniedInvocation?: 'storePair' | 'storeNothing';
  /** Shows text only once an answer is accepted, instead of as it arrives. Shown text is then never taken back. */
  readonly bufferText?: boolean;
}

/** The options of a loop. Everything it needs from the world is a function in here. */
export interface LoopOptions extends LoopChoices {
  readonly state: LoopState;
  readonly model: ModelFunction;
  readonly tools: readonly LoopTool[];
  /** The one of the tools that only takes an answer: people are not asked about it. */
  readonly answerTool?: LoopTool;
  readonly interventions?: readonly AnyHandler[];
  readonly hooks?: HookRegistry | readonly HookProvider[];
  /** The system prompt. A function is called before each model call. */
  readonly system?: string | (() => string | undefined);
  /** Records each fact. The loop waits for it, and ends if it fails. */
  readonly record?: RecordFact;
  /** What people wrote meanwhile. Called at the top of each cycle. */
  readonly incoming?: () => Promise<readonly Message[]>;
  /**
   * What became of a call that began before this loop took it up. It may wait for a person. `undefined` when the call
   * is to be evaluated like any other.
   */
  readonly becameOf?: (toolUse: ToolUseBlock) => Promise<ToolResultBlock | undefined>;
  /** New messages of this invocation, which interventions may still change or refuse. */
  readonly input?: readonly Message[];
  /** Shows the progress of the loop, and never changes the outcome. */
  readonly onEvent?: (view: LoopView) => void;
  readonly invocationState?: InvocationState;
  /** Aborted with the reason `cancelled` or `parked`. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<LoopLimits>;
  readonly executor?: 'concurrent' | 'sequential';
  readonly profile?: Profile;
  readonly agent?: { readonly id: string; readonly appState: AppState };
  readonly warn?: (warning: Warning) => void;
  readonly audit?: AuditSink;
  /** A model that handlers may borrow for judgements. */
  readonly judge?: Judge;
  /** `direct`: a tool is called without the model. */
  readonly mode?: 'model' | 'direct';
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called between two readings of an input. A process with other work gives it a turn there if the input is large. */
  readonly betweenReadings?: (input: Json) => Promise<void>;
  /** Hashes the canonical text of a call. */
  readonly hash: (text: string) => string;
}

/** Every bound of a loop. */
export interface LoopLimits {
  /** Model answers in one invocation. */
  readonly turns: number;
  readonly totalTokens: number;
  readonly outputTokens: number;
  readonly toolCallsPerTurn: number;
  /** People asked at once about the calls of one turn. */
  readonly parallelAsks: number;
  /** Tools that run at once. The others wait in line, approved or not. */
  readonly parallelTools: number;
  readonly handlerTimeoutMs: number;
  /** How often callbacks may ask for one model call, or one tool call, to be done again. */
  readonly retries: number;
  readonly guidance: GuidanceLimits;
}

export const LOOP_LIMITS: LoopLimits = {
  turns: 24,
  totalTokens: Number.POSITIVE_INFINITY,
  outputTokens: Number.POSITIVE_INFINITY,
  toolCallsPerTurn: 60,
  parallelAsks: 60,
  parallelTools: 20,
  handlerTimeoutMs: 30_000,
  retries: 10,
  guidance: GUIDANCE_LIMITS,
};

/** What a surface may want to show while the loop works. */
export type LoopView =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'discarded' }
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'toolCallBegins'; readonly toolUse: ToolUseBlock }
  | {
      readonly type: 'toolCallEnds';
      readonly toolUse: ToolUseBlock;
      readonly result: ToolResultBlock;
      readonly executed: boolean;
    }
  /** `toolUse` is absent when people are asked about something else than a tool call. */
  | { readonly type: 'waits'; readonly toolUse?: ToolUseBlock; readonly interruptId: string }
  | { readonly type: 'interrupt'; readonly interruptId: string; readonly reason: Json };
