import type {
  HandlerReaction,
  Interrupt,
  InvocationState,
  Json,
  MediaBlock,
  Message,
  RaiseInterrupt,
  StopReason,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../../interventions/index.ts';

/**
 * What the loop is handed. It knows no provider, no store and no Slack: a model is a function, a tool is a table row,
 * and the caller records what happens.
 */

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, as the model is shown it. */
  readonly inputSchema: Json;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export interface ModelRequest {
  readonly system: string | undefined;
  /** Roles alternate; never ends with an unanswered tool request. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** The tool that the model has to use, for structured output. */
  readonly forceTool?: string;
}

export interface ModelAnswer {
  readonly message: Message;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

export interface ModelContext {
  readonly signal: AbortSignal;
  /** Called with each piece of text as it arrives. It must not throw: the caller catches and logs what its view throws. */
  readonly onText: (text: string) => void;
}

/** Must reject on failure, and must not start anything after `signal` is aborted. */
export type ModelFunction = (request: ModelRequest, context: ModelContext) => Promise<ModelAnswer>;

export interface ToolRunContext {
  readonly toolUse: ToolUseBlock;
  /** The digest of tool name and input as they are now, after the last possible change. */
  readonly digest: string;
  readonly signal: AbortSignal;
  /** The object that the caller of the invocation gave. Callbacks, handlers and other tools share it. It is never stored. */
  readonly invocationState: InvocationState;
  /**
   * Asks a person from inside the tool. Returns the answer, or ends the run until there is one. The tool then starts
   * again from its beginning, so the code before this call runs twice.
   */
  readonly interrupt: RaiseInterrupt;
}

export type ToolOutput = string | readonly (TextBlock | MediaBlock)[];

export type ParsedInput =
  | { readonly ok: true; readonly input: Json }
  | { readonly ok: false; readonly problem: string };

export interface LoopTool extends ToolSpec {
  /** Checks an input before handlers and people see it. */
  readonly parse: (input: Json) => ParsedInput;
  /**
   * Runs once. A throw becomes an error result for the model, except `GateChangedError`: what allowed the call is gone
   * (a revoked trust, a changed tool), and the loop evaluates the call again from the start.
   */
  readonly run: (input: Json, context: ToolRunContext) => Promise<ToolOutput>;
}

/** What has happened in the loop. The loop tells each fact and waits until it is recorded. */
export type LoopFact =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'turn'; readonly answer: ModelAnswer }
  /** The call is about to run. Without a result after this, its outcome is unknown. */
  | {
      readonly type: 'started';
      readonly toolUse: ToolUseBlock;
      readonly original: ToolUseBlock;
      readonly digest: string;
    }
  /** The call did not run after all: what allowed it was gone, or it asks a person first. */
  | { readonly type: 'unstarted'; readonly toolUseId: string }
  /** The whole call is done again. Approvals of earlier tries do not count. */
  | { readonly type: 'retried'; readonly toolUseId: string; readonly attempt: number }
  /** The call ran, and people are asked whether its result may be used. It is not run again. */
  | {
      readonly type: 'ran';
      readonly toolUse: ToolUseBlock;
      readonly result: ToolResultBlock;
      readonly reactions?: readonly HandlerReaction[];
    }
  /** The run leaves the loop until people have answered. `held` is input that waits to be let in. */
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[]; readonly held?: readonly Message[] }
  /** A question outside tool calls was settled, and its answers are used up. It let these messages in. */
  | { readonly type: 'settled'; readonly messages: readonly Message[] }
  /** `reactions` end the run once the batch is done. `executed` is false when the tool never ran: refused, guided away, unknown, invalid input. */
  | {
      readonly type: 'result';
      readonly result: ToolResultBlock;
      readonly executed: boolean;
      readonly reactions?: readonly HandlerReaction[];
    };

export type RecordFact = (fact: LoopFact) => Promise<void>;
