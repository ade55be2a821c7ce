export { addUsage } from './cost.ts';
export { type Ahead, judgeAhead } from './loop/begin.ts';
export { settleCall } from './loop/calls/call.ts';
export { type LoopLimits, type LoopOptions, type LoopView, observe, runLoop } from './loop/loop.ts';
export type { LoopChoices } from './loop/options.ts';
export { beginRun, type Run } from './loop/run.ts';
export type { ConversationManager, ProactiveReduction } from './memory/conversation.ts';
export { cutPoint } from './memory/cut.ts';
export { type FittingModel, fittingModel } from './memory/fitting.ts';
export { slidingWindow } from './memory/sliding-window.ts';
export { onFailure } from './on-failure.ts';
export type { LoopOutcome } from './outcome.ts';
export type {
  LoopFact,
  LoopTool,
  ModelAnswer,
  ModelFunction,
  ParsedInput,
  RecordFact,
  ToolOutput,
  ToolRunContext,
  ToolSpec,
  Usage,
} from './ports.ts';
export { systemPrompt } from './prompt.ts';
export { createTracing, type TraceAttributes, type Tracing } from './tracing.ts';
export {
  alternating,
  applyFact,
  closingResults,
  isUntouched,
  keptUnder,
  type LoopState,
  type PendingBatch,
  textMessage,
  toolUsesOf,
} from './transcript.ts';
