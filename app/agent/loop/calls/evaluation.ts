import {
  BeforeToolCallEvent,
  clone,
  grantKey,
  type HandlerReaction,
  type Interrupt,
  type Json,
  type Noted,
  type Place,
  type Ruling,
  type Settled,
  settleConfirms,
  type ToolUseBlock,
  type ToolView,
} from '../../../../interventions/index.ts';
import { onFailure } from '../../on-failure.ts';
import type { LoopTool } from '../../ports.ts';
import { keptUnder } from '../../transcript.ts';
import { giveUp } from '../after.ts';
import type { Run } from '../run.ts';
import { parseInput } from './parse-input.ts';

/** One evaluation of a call: at which try, with which changed input, and after how many earlier rounds. */
export interface Evaluation {
  readonly toolUse: ToolUseBlock;
  readonly tryNumber: number;
  readonly round: number;
  readonly resumed: boolean;
  readonly trustCounts: boolean;
  readonly edited?: Json;
  readonly grants: ReadonlySet<string>;
}

/** A call that was evaluated, before people are asked. */
export interface Prepared {
  readonly evaluation: Evaluation;
  readonly event: BeforeToolCallEvent;
  readonly noted: readonly Noted[];
  readonly interrupts: readonly Interrupt[];
  readonly grants: ReadonlySet<string>;
  /** Whether a handler cancelled the call and gave the model advice instead. */
  readonly guided: boolean;
  /** What the handler that denied the call wants to happen next. */
  readonly reactions: readonly HandlerReaction[];
  /** The answer that ended the first pass. Only the `reference` profile asks people so early. */
  readonly settled?: Settled;
  /** Who approved during the first pass. */
  readonly approvers?: readonly string[];
}

export function firstEvaluation(run: Run, toolUse: ToolUseBlock, resumed: boolean): Evaluation {
  const tryNumber = keptUnder(run.state().pending?.tries, toolUse.toolUseId) ?? 1;
  return { toolUse, tryNumber, round: 0, resumed, trustCounts: true, grants: new Set() };
}

/** The first pass: callbacks and handlers judge the call. */
export async function prepare(run: Run, evaluation: Evaluation): Promise<Prepared> {
  run.check();
  const asked =
    evaluation.edited === undefined ? evaluation.toolUse : { ...evaluation.toolUse, input: evaluation.edited };
  await run.options.betweenReadings?.(asked.input);
  const toolUse: ToolUseBlock = clone(completed(run, asked));
  const event = eventOf(run, evaluation, toolUse);
  const grants = new Set(evaluation.grants);
  const approvers: string[] = [];
  const settle = async (noted: Noted) => {
    // The digest is taken before people are asked, so they do not approve a change that comes meanwhile.
    const digest = event.digest();
    const settled = await settleAll(run, evaluation, { event, noted: [noted], grants, interrupts: [] });
    if (settled.type !== 'approved') return settled;
    grants.add(grantKey(noted.handler.name, digest));
    approvers.push(...settled.approvers);
    return settled;
  };
  const askHandlers = async (): Promise<Prepared> => {
    const { verdict, interrupts: thrown } = await run.ask(event, settle);
    run.check();
    // Also those whose error a callback or handler has caught: the call waits for their answers all the same.
    const raised = run.book.raisedAt(placeOf(run, evaluation, 'beforeToolCall'));
    const interrupts = [...thrown, ...raised.filter(({ id }) => !thrown.some((other) => other.id === id))];
    return {
      evaluation,
      event,
      interrupts,
      grants,
      approvers,
      guided: verdict.type === 'guide',
      reactions: verdict.type === 'deny' ? (verdict.reactions ?? []) : [],
      ...whatIsOpen(verdict),
    };
  };
  // A handler may fail, or the run be stopped. Callbacks get the After-event before the error is thrown on.
  return onFailure(askHandlers, (error) => giveUp(run, { event, evaluation }, error));
}

export function eventOf(run: Run, evaluation: Evaluation, toolUse: ToolUseBlock): BeforeToolCallEvent {
  const place = placeOf(run, evaluation, 'beforeToolCall');
  const event: BeforeToolCallEvent = new BeforeToolCallEvent(run.context(evaluation.resumed), {
    toolUse,
    selectedTool: run.tool(toolUse.name),
    find: run.tool,
    attempt: evaluation.tryNumber,
    guidanceCount: run.caps.callsSentBack(),
    mode: run.options.mode ?? 'model',
    hash: run.options.hash,
    interrupt: (request) => run.book.raiser(place, { digest: () => event.digest() })(request),
    trustCounts: evaluation.trustCounts,
    hasAsked: (handler) => run.book.askedAt(place, handler).length > 0,
  });
  return event;
}

/**
 * Fills in defaults before handlers and people look, because what was shown is what runs. An input that does not fit
 * stays as it is.
 */
function completed(run: Run, toolUse: ToolUseBlock): ToolUseBlock {
  const tool = run.tool(toolUse.name);
  const parsed = tool && parseInput(tool, toolUse.input);
  return parsed?.ok === true ? { ...toolUse, input: parsed.input } : toolUse;
}

function whatIsOpen(verdict: Ruling): Pick<Prepared, 'noted' | 'settled'> {
  if (verdict.type === 'confirm') return { noted: verdict.noted };
  return verdict.type === 'settled' ? { noted: [verdict.noted], settled: verdict.settled } : { noted: [] };
}

/** Asks people. */
export function settleAll(
  run: Run,
  evaluation: Evaluation,
  about: Pick<Prepared, 'event' | 'noted' | 'grants' | 'interrupts'>,
): Promise<Settled> {
  const { event, noted, grants, interrupts } = about;
  const { book, profile, turnstile } = run;
  const { answerTool, clock, timers, whenChanged = 'askAgain' } = run.options;
  if (answerTool !== undefined && event.tool === answerTool)
    return Promise.resolve({ type: 'approved', approvers: [], reactions: [] });
  return settleConfirms(noted, {
    about: {
      subject: 'toolCall',
      signal: event.signal,
      digest: () => event.digest(),
      toolUse: () => ({ type: 'toolUse', toolUseId: event.toolUse.toolUseId, ...event.effective() }),
    },
    place: placeOf(run, evaluation, 'beforeToolCall'),
    book,
    profile,
    clock,
    timers,
    turnstile,
    warn: run.warn,
    grants,
    whenChanged,
    pauses: interrupts.length > 0,
    checkEdit: (input) => {
      const tool = toolOf(event);
      const parsed = tool && parseInput(tool, input);
      return parsed === undefined || parsed.ok ? undefined : `The edited input does not fit: ${parsed.problem}`;
    },
    onWait: (interruptId) => run.show({ type: 'waits', toolUse: evaluation.toolUse, interruptId }),
  });
}

export function placeOf(run: Run, evaluation: Evaluation, kind: Place['kind']): Place {
  const { tryNumber: attempt, round, toolUse } = evaluation;
  return { agentId: run.agentId, kind, turn: run.state().turn ?? 0, attempt, round, toolUseId: toolUse.toolUseId };
}

/** The tool of the event: a callback may put its own in place of the one that the model named. */
export function toolOf(event: BeforeToolCallEvent): LoopTool | undefined {
  const tool: ToolView | undefined = event.tool;
  return tool !== undefined && isLoopTool(tool) ? tool : undefined;
}

function isLoopTool(tool: ToolView): tool is LoopTool {
  return 'run' in tool && typeof tool.run === 'function' && 'parse' in tool && typeof tool.parse === 'function';
}
