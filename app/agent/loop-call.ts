import {
  AfterToolCallEvent,
  BeforeToolCallEvent,
  copy,
  GateChangedError,
  grantKey,
  type Interrupt,
  InterruptError,
  type Json,
  type Noted,
  type Place,
  type Refusal,
  type Settled,
  settleConfirms,
  type ToolResultBlock,
  ToolResultEvent,
  type ToolUseBlock,
  type ToolView,
  type Verdict,
} from '../../interventions/index.ts';
import { aboutCall, answerDraft } from './loop-audit.ts';
import type { Run } from './loop-run.ts';
import type { LoopTool, ToolOutput } from './ports.ts';
import { errorResult } from './transcript.ts';

/** How one tool call came to rest. */
export type CallEnd =
  | { readonly type: 'finished' }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

/** One look at one call: which attempt, with whose edit, after how many changes. */
export interface Look {
  readonly toolUse: ToolUseBlock;
  readonly attempt: number;
  readonly round: number;
  readonly resumed: boolean;
  readonly trustCounts: boolean;
  readonly edited?: Json;
  readonly grants: ReadonlySet<string>;
}

/** Evaluated, and nobody asked yet. */
export interface Prepared {
  readonly look: Look;
  readonly event: BeforeToolCallEvent;
  readonly noted: readonly Noted[];
  readonly interrupts: readonly Interrupt[];
  readonly grants: ReadonlySet<string>;
  /** Cancelled with advice. */
  readonly guided: boolean;
  /** Settled on the spot, as the `reference` profile does. */
  readonly settled?: Settled;
}

export type Answered =
  | ReadyToRun
  | {
      readonly type: 'refused';
      readonly prepared: Prepared;
      readonly refusal: Refusal;
      readonly result: ToolResultBlock;
    }
  | { readonly type: 'edited'; readonly prepared: Prepared; readonly input: Json }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

interface ReadyToRun {
  readonly type: 'run';
  readonly prepared: Prepared;
  readonly tool: LoopTool;
  readonly input: Json;
  readonly digest: string;
}

export const CANCELLED = 'Tool execution cancelled';
const CANCELLED_BY_HOOK = 'tool call denied by hook';

/** A call that keeps changing between the yes and the start is given up after this many looks. */
const ROUNDS = 5;

export function firstLook(run: Run, toolUse: ToolUseBlock, resumed: boolean): Look {
  const attempt = run.state().pending?.attempts?.[toolUse.toolUseId] ?? 1;
  return { toolUse, attempt, round: 0, resumed, trustCounts: true, grants: new Set() };
}

/** Pass one: callbacks and handlers. */
export async function prepare(run: Run, look: Look): Promise<Prepared> {
  run.check();
  const place = placeOf(run, look, 'beforeToolCall');
  const toolUse: ToolUseBlock = copy(
    look.edited === undefined ? look.toolUse : { ...look.toolUse, input: look.edited },
  );
  const event: BeforeToolCallEvent = new BeforeToolCallEvent(run.context(look.resumed), {
    toolUse,
    selectedTool: run.tool(toolUse.name),
    find: run.tool,
    attempt: look.attempt,
    guidanceCount: run.caps.callsSentBack(),
    mode: run.options.mode ?? 'model',
    hash: run.options.hash,
    interrupt: (request) => run.book.raiser(place, { digest: () => event.digest() })(request),
    trustCounts: look.trustCounts,
  });
  const grants = new Set(look.grants);
  const settle = async (noted: Noted) => {
    const settled = await settleAll(run, look, { event, noted: [noted], grants, interrupts: [] });
    if (settled.type === 'approved') grants.add(grantKey(noted.handler.name, event.digest()));
    return settled;
  };
  try {
    const { verdict, interrupts } = await run.ask(event, settle);
    run.check();
    return { look, event, interrupts, grants, guided: verdict.type === 'guide', ...whatIsOpen(verdict) };
  } catch (error) {
    await giveUp(run, { event, look }, error);
    throw error;
  }
}

function whatIsOpen(verdict: Verdict): Pick<Prepared, 'noted' | 'settled'> {
  if (verdict.type === 'confirm') return { noted: verdict.noted };
  return verdict.type === 'settled' ? { noted: [], settled: verdict.settled } : { noted: [] };
}

/** Pass two: people are asked, when everything else has let the call through. */
async function answer(run: Run, prepared: Prepared): Promise<Answered> {
  const { look, event, interrupts } = prepared;
  const id = look.toolUse.toolUseId;
  const refuse = (text: string, refusal: Refusal): Answered => ({
    type: 'refused',
    prepared,
    refusal,
    result: errorResult(id, text),
  });
  if (event.cancel !== false) {
    const text = event.cancel === true ? CANCELLED_BY_HOOK : event.cancel;
    return refuse(text, prepared.guided ? 'guided' : 'denied');
  }
  const { name, input } = event.effective();
  const tool = toolOf(event);
  if (tool === undefined) return refuse(`There is no tool called ${JSON.stringify(name)}.`, 'failed');
  const parsed = tool.parse(input);
  if (!parsed.ok) return refuse(`The input does not fit ${name}: ${parsed.problem}`, 'failed');

  const settled = prepared.settled ?? (await settleAll(run, look, prepared));
  run.check();
  if (prepared.noted.length > 0 || prepared.settled !== undefined) {
    const kind = settled.type === 'interrupted' ? 'question' : 'answer';
    run.audit(() => ({ kind, ...aboutCall(id, event.effective(), run.options.hash), ...answerDraft(settled) }));
  }
  switch (settled.type) {
    case 'refused':
      return refuse(settled.text, settled.because === 'cancelled' ? 'cancelled' : 'refused');
    case 'answered':
      return { type: 'refused', prepared, refusal: 'answered', result: successResult(id, settled.text) };
    case 'interrupted':
      return { type: 'paused', interrupts: [...interrupts, ...settled.interrupts] };
    case 'approved':
      if (interrupts.length > 0) return { type: 'paused', interrupts };
      if (settled.editedInput !== undefined) return { type: 'edited', prepared, input: settled.editedInput };
      return { type: 'run', prepared, tool, input: parsed.input, digest: event.digest() };
  }
}

/** Runs it, tells everybody, and does it all again when asked to. */
async function finish(run: Run, answered: Answered): Promise<CallEnd> {
  switch (answered.type) {
    case 'paused':
      return answered;
    case 'edited':
      return evaluateEdit(run, answered.prepared, answered.input);
    case 'refused':
      return settleResult(run, answered.prepared, {
        result: answered.result,
        executed: false,
        refusal: answered.refusal,
      });
    case 'run':
      return execute(run, answered);
  }
}

/** A call from a look to its end. */
export async function evaluate(run: Run, look: Look): Promise<CallEnd> {
  const prepared = await prepare(run, look);
  if (look.round > ROUNDS) {
    const result = errorResult(look.toolUse.toolUseId, 'What would run kept changing, so this tool call did not run.');
    return settleResult(run, prepared, { result, executed: false, refusal: 'denied' });
  }
  return complete(run, prepared, await answerOrGiveUp(run, prepared));
}

/** From answered to its end. Whatever is thrown here ends the invocation, and the After is still told. */
export async function complete(run: Run, prepared: Prepared, answered: Answered): Promise<CallEnd> {
  try {
    return await finish(run, answered);
  } catch (error) {
    await giveUp(run, prepared, error);
    throw error;
  }
}

export async function answerOrGiveUp(run: Run, prepared: Prepared): Promise<Answered> {
  try {
    return await answer(run, prepared);
  } catch (error) {
    await giveUp(run, prepared, error);
    throw error;
  }
}

/** Nothing starts from here on. The pair of Before and After is completed; nothing the After asks for is honoured. */
export async function giveUp(run: Run, moment: Moment, error: unknown): Promise<void> {
  run.abort(error);
  await tellAfter(run, moment, error);
}

/** The call as a person edited it: judged by everybody again, and approved only if it stays exactly so. */
async function evaluateEdit(run: Run, prepared: Prepared, input: Json): Promise<CallEnd> {
  const { event, look, noted } = prepared;
  const digest = run.digest({ name: event.effective().name, input });
  const grants = new Set(noted.map(({ handler }) => grantKey(handler.name, digest)));
  await tellAfter(run, prepared, 'A person edited the input.');
  return evaluate(run, { ...look, edited: input, round: look.round + 1, grants });
}

async function execute(run: Run, answered: ReadyToRun): Promise<CallEnd> {
  const { prepared, digest } = answered;
  const { event, look } = prepared;
  const { toolUseId } = look.toolUse;
  // The last look before anything happens: stopped meanwhile, or not what was approved.
  run.check();
  if (event.cancel !== false) {
    const result = errorResult(toolUseId, event.cancel === true ? CANCELLED_BY_HOOK : event.cancel);
    return settleResult(run, prepared, { result, executed: false, refusal: 'denied' });
  }
  const about = () => aboutCall(toolUseId, event.effective(), run.options.hash);
  if (event.digest() !== digest) {
    run.audit(() => ({ kind: 'failure', binding: 'changed', ...about() }));
    await tellAfter(run, prepared, 'The call changed after it was approved.');
    return evaluate(run, { ...look, round: look.round + 1, grants: new Set() });
  }
  const toolUse: ToolUseBlock = { type: 'toolUse', toolUseId, ...event.effective() };
  await run.remember({ type: 'started', toolUse, original: look.toolUse, digest });
  if (run.signal.aborted) {
    await run.remember({ type: 'unstarted', toolUseId });
    run.check();
  }
  run.audit(() => ({ kind: 'start', binding: 'same', ...about() }));
  run.show({ type: 'toolCallBegins', toolUse });
  const ran = await runTool(run, answered, toolUse);
  switch (ran.type) {
    case 'ended':
      return settleResult(run, prepared, ran.end);
    case 'asks':
      await run.remember({ type: 'unstarted', toolUseId });
      return { type: 'paused', interrupts: ran.interrupts };
    case 'changed':
      await run.remember({ type: 'unstarted', toolUseId });
      await tellAfter(run, prepared, 'What allowed the call was gone.');
      return evaluate(run, { ...look, round: look.round + 1, trustCounts: false, grants: new Set() });
  }
}

type Ran =
  | { readonly type: 'ended'; readonly end: ToolEnd }
  | { readonly type: 'asks'; readonly interrupts: readonly Interrupt[] }
  | { readonly type: 'changed' };

interface ToolEnd {
  readonly result: ToolResultBlock;
  readonly executed: boolean;
  readonly error?: unknown;
  readonly refusal?: Refusal;
}

/** Whatever a tool throws is told to the model, except what is not about the tool: a question, and a changed gate. */
async function runTool(run: Run, { prepared, tool, input, digest }: ReadyToRun, toolUse: ToolUseBlock): Promise<Ran> {
  const { toolUseId } = toolUse;
  const interrupt = run.book.raiser(placeOf(run, prepared.look, 'tool'), { digest: () => digest });
  try {
    const output = await tool.run(input, { toolUse, digest, signal: run.signal, interrupt });
    return { type: 'ended', end: { result: successResult(toolUseId, output), executed: true } };
  } catch (error) {
    if (error instanceof InterruptError) return { type: 'asks', interrupts: error.interrupts };
    if (error instanceof GateChangedError) return { type: 'changed' };
    const text = run.signal.aborted ? CANCELLED : error instanceof Error ? error.message : String(error);
    return { type: 'ended', end: { result: errorResult(toolUseId, text), executed: true, error } };
  }
}

/** The end of an attempt: After-handlers may still change what is stored, or ask for another attempt. */
async function settleResult(run: Run, prepared: Prepared, end: ToolEnd): Promise<CallEnd> {
  // What ran has happened and is kept; what did not run is not made up after an abort.
  if (!end.executed) run.check();
  const { look } = prepared;
  const { toolUseId } = look.toolUse;
  const after = afterEvent(run, prepared, end);
  let result = end.result;
  let retry = false;
  try {
    await run.ask(after);
    result = { ...after.result, toolUseId };
    retry = after.retry && !run.signal.aborted;
  } catch (error) {
    run.abort(error);
    if (end.executed) await run.remember({ type: 'result', result, executed: true });
    throw error;
  }
  if (retry && look.attempt <= run.limits.retries) {
    await run.remember({ type: 'retried', toolUseId, attempt: look.attempt + 1 });
    return evaluate(run, { ...firstLook(run, look.toolUse, look.resumed), attempt: look.attempt + 1 });
  }
  await run.remember({ type: 'result', result, executed: end.executed });
  run.audit(() => ({
    kind: 'end',
    toolUseId,
    tool: prepared.event.effective().name,
    action: end.executed ? result.status : (end.refusal ?? 'denied'),
  }));
  run.show({ type: 'toolCallEnds', toolUse: look.toolUse, result, executed: end.executed });
  if (!run.signal.aborted) await run.tell(new ToolResultEvent(run.context(), { toolUse: look.toolUse, result }));
  return { type: 'finished' };
}

interface Moment {
  readonly event: BeforeToolCallEvent;
  readonly look: Look;
}

/** Before-events whose After has been told. */
const TOLD = new WeakSet<BeforeToolCallEvent>();

function afterEvent(run: Run, { event, look }: Moment, end: ToolEnd): AfterToolCallEvent {
  TOLD.add(event);
  return new AfterToolCallEvent(run.context(look.resumed), {
    toolUse: event.toolUse,
    selectedTool: event.selectedTool,
    attempt: look.attempt,
    ...end,
  });
}

async function tellAfter(run: Run, moment: Moment, error: unknown): Promise<void> {
  if (TOLD.has(moment.event)) return;
  const result = errorResult(moment.look.toolUse.toolUseId, CANCELLED);
  try {
    await run.tell(afterEvent(run, moment, { result, executed: false, error, refusal: 'cancelled' }));
  } catch (failure) {
    if (!run.signal.aborted) throw failure;
    // The first failure is the one that counts.
    run.warn({
      handler: 'hook',
      event: 'afterToolCall',
      message: `A callback failed while cleaning up: ${String(failure)}`,
    });
  }
}

function settleAll(
  run: Run,
  look: Look,
  about: Pick<Prepared, 'event' | 'noted' | 'grants' | 'interrupts'>,
): Promise<Settled> {
  const { event, noted, grants, interrupts } = about;
  const { book, profile, turnstile } = run;
  const { clock, timers } = run.options;
  return settleConfirms(noted, {
    event,
    place: placeOf(run, look, 'beforeToolCall'),
    book,
    profile,
    clock,
    timers,
    turnstile,
    grants,
    pauses: interrupts.length > 0,
    checkEdit: (input) => {
      const parsed = toolOf(event)?.parse(input);
      return parsed === undefined || parsed.ok ? undefined : `The edited input does not fit: ${parsed.problem}`;
    },
    onWait: (interruptId) => run.show({ type: 'waits', toolUse: look.toolUse, interruptId }),
  });
}

function placeOf(run: Run, look: Look, kind: Place['kind']): Place {
  const { attempt, round, toolUse } = look;
  return { agentId: run.agentId, kind, turn: run.state().turn ?? 0, attempt, round, toolUseId: toolUse.toolUseId };
}

/** A callback may put its own tool in place of the one the model named. */
function toolOf(event: BeforeToolCallEvent): LoopTool | undefined {
  const tool: ToolView | undefined = event.tool;
  return tool !== undefined && isLoopTool(tool) ? tool : undefined;
}

function isLoopTool(tool: ToolView): tool is LoopTool {
  return 'run' in tool && typeof tool.run === 'function' && 'parse' in tool && typeof tool.parse === 'function';
}

function successResult(toolUseId: string, output: ToolOutput): ToolResultBlock {
  if (output === undefined) return errorResult(toolUseId, 'The tool gave no result.');
  const content = typeof output === 'string' ? [{ type: 'text' as const, text: output }] : output;
  return { type: 'toolResult', toolUseId, status: 'success', content };
}
