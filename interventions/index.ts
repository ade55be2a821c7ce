// To write or use an intervention.
export {
  type Action,
  type Confirm,
  confirm,
  type Deny,
  defaultEvaluate,
  deny,
  type Guide,
  guide,
  type Proceed,
  proceed,
  type Transform,
  transform,
} from './actions.ts';
// To write a loop.
export { type AppState, createAppState, isJson } from './app-state.ts';
// To keep records.
export {
  type AuditCheck,
  type AuditDraft,
  type AuditLog,
  type AuditRecord,
  type AuditSink,
  createAuditLog,
  verifyAudit,
} from './audit.ts';
// To show questions and take answers.
export { canonical, canonicalCall, inOneLine, quoted } from './canonical.ts';
export { clone, freezeDeep } from './copy.ts';
export * from './errors.ts';
export {
  AfterModelCallEvent,
  AfterToolCallEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  type Cancel,
  type InterventionEvent,
  type Refusal,
  type StopData,
  type ToolView,
} from './hooks/events.ts';
export {
  createHookRegistry,
  HOOK_ORDER,
  type HookProvider,
  type HookRegistry,
  type LifecycleObserver,
  type ObservedAgent,
} from './hooks/hooks.ts';
export {
  type AgentView,
  type EventContext,
  type InvocationState,
  LoopEvent,
  type Warning,
} from './hooks/loop-event.ts';
export { shown } from './hooks/shown.ts';
export {
  AfterInvocationEvent,
  AfterToolsEvent,
  AgentResultEvent,
  BeforeToolsEvent,
  InitializedEvent,
  InterruptEvent,
  MessageAddedEvent,
  ModelMessageEvent,
  ResponseDiscardedEvent,
  ToolResultEvent,
} from './hooks/stream-events.ts';
export type { AnswerEnvelope } from './human-in-the-loop/answer.ts';
export { grantKey, settleConfirms } from './human-in-the-loop/ask.ts';
export type { AskExtras, Asked, MomentExtras, Settled, WhenChanged } from './human-in-the-loop/ask-parts.ts';
export type { Classification, Classifier } from './human-in-the-loop/classifier.ts';
export {
  defaultEvaluateTrust,
  HUMAN_IN_THE_LOOP,
  HumanInTheLoop,
} from './human-in-the-loop/human-in-the-loop.ts';
export {
  type DecisionFacts,
  type DecisionRule,
  hasPossibleApprover,
  type MayDecide,
  type MayNotDecide,
  mayDecide,
} from './human-in-the-loop/may-decide.ts';
export type { HumanInTheLoopOptions } from './human-in-the-loop/options.ts';
export { type Question, questionText } from './human-in-the-loop/question.ts';
export type { AllowedTool } from './human-in-the-loop/tool-list.ts';
export { listTrust, revokeAllTrust, revokeTrust, type TrustEntry, type TrustTerms } from './human-in-the-loop/trust.ts';
export type { Judge, JudgeRequest } from './judge.ts';
export type * from './messages.ts';
export { type Dispatched, dispatch } from './pipeline/dispatch.ts';
export { createGuidanceCaps, GUIDANCE_LIMITS, type GuidanceCaps, type GuidanceLimits } from './pipeline/guidance.ts';
export {
  type AnyHandler,
  type Awaitable,
  type ConfirmingHandler,
  type Handler,
  InterventionHandler,
  type OnError,
  overrides,
} from './pipeline/handler.ts';
export { type Interrupt, interruptId, type Place, type RaiseInterrupt, unanswered } from './pipeline/interrupt.ts';
export { createInterruptBook, type InterruptBook } from './pipeline/interrupt-book.ts';
export { createPipeline, type DecidedEvent, type Pipeline } from './pipeline/pipeline.ts';
export type { Profile } from './pipeline/profile.ts';
export { type HandlerReaction, type Reaction, type Reactions, strongestReaction } from './pipeline/reaction.ts';
export {
  applyAnswers,
  checkAskers,
  dismissInterrupts,
  type InterruptResponseBlock,
  type SpentAnswer,
} from './pipeline/resume.ts';
export { EFFECTS, type Noted, questionsOf, type Ruling } from './pipeline/ruling.ts';
export { CHANGED } from './pipeline/settlement.ts';
export { createTurnstile, type Turnstile } from './pipeline/turnstile.ts';
export { redactSecrets } from './redact.ts';
export { createMemoryStore, type StateStore } from './state-store.ts';
// To steer.
export {
  type ModelSteeringAction,
  type SteeringGuide,
  type SteeringInterrupt,
  type SteeringProceed,
  steer,
  type ToolSteeringAction,
} from './steering/actions.ts';
export {
  type ContextCallback,
  contextCallback,
  type SteeringContext,
  type SteeringContextProvider,
} from './steering/context.ts';
export {
  type ModelSteeringMoment,
  SteeringHandler,
  type SteeringOptions,
  type ToolSteeringMoment,
} from './steering/handler.ts';
export { type LedgerEntry, type LedgerOptions, readLedger, toolLedger } from './steering/ledger.ts';
export { type JudgedMoment, ModelSteeringHandler, type ModelSteeringOptions } from './steering/model.ts';
export { type Clock, type Timers, within } from './time.ts';
export { unreachable } from './unreachable.ts';
