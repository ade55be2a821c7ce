import {
  AfterInvocationEvent,
  AfterToolsEvent,
  AgentResultEvent,
  type AnyHandler,
  type ContentBlock,
  HandlerFailureError,
  type HookRegistry,
  InitializedEvent,
  type Message,
  MessageAddedEvent,
  strongestReaction,
  thrownWithKind,
  within,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { ModelOutputLimitError } from '../model/index.ts';
import { onFailure } from '../on-failure.ts';
import type { LoopEnd, LoopOutcome, StoppedReason } from '../outcome.ts';
import { errorResult, toolResultsOf, toolUsesOf } from '../transcript.ts';
import { beginInvocation } from './begin.ts';
import { runBatch } from './calls/batch.ts';
import type { LoopOptions } from './options.ts';
import { saveReopened } from './pause.ts';
import { beginRun, type Run } from './run.ts';
import { stoppedBy, tidyUp } from './stop.ts';
import { takeTurn } from './turn.ts';

export type { LoopOutcome } from '../outcome.ts';
export type { LoopState, PendingBatch } from '../transcript.ts';
export type { LoopLimits, LoopOptions, LoopView } from './options.ts';

/**
 * Runs turn after turn until the run is finished, interrupted or stopped. Rejects on a failure, and starts nothing
 * after that: no generator exists here whose cleanup could go on with the work.
 *
 * A turn in `state.pending` has its answer, so it comes first: the model is not asked for it again, finished calls are
 * not run again, and unfinished ones pass all interventions again.
 */
export async function runLoop(options: LoopOptions): Promise<LoopOutcome> {
  const run = beginRun(options);
  try {
    return await toTheEnd(run);
  } finally {
    run.leave();
  }
}

async function toTheEnd(run: Run): Promise<LoopOutcome> {
  const { options } = run;
  await observe(run);
  let input = options.input ?? [];
  for (;;) {
    const held = run.state().held !== undefined;
    const { rest, resume: wanted } = await invoke(run, input);
    // Messages that arrived while people decided on other input survive the refusal of that input.
    const meanwhile = held && wanted === undefined && rest.type === 'finished' ? await options.incoming?.() : undefined;
    const resume = wanted ?? (meanwhile?.length === 0 ? undefined : meanwhile);
    const outcome: LoopOutcome = { ...rest, state: run.state(), usage: run.usage() };
    if (resume === undefined || run.signal.aborted) {
      const because =
        rest.type === 'finished' ? { reason: rest.stopReason } : rest.type === 'stopped' ? { reason: rest.reason } : {};
      run.audit(() => ({ kind: 'outcome', action: rest.type, ...because }));
      await run.tell(new AgentResultEvent(run.context(), { result: outcome }));
      return outcome;
    }
    input = resume;
  }
}

/** The handlers that have been given each registry, and whether they are done with it. */
const OBSERVED = new WeakMap<HookRegistry, Map<AnyHandler, Promise<void>>>();
const INITIALIZED = new WeakSet<HookRegistry>();

/** Tells each handler once of the agent, before anything happens. A handler that failed is told again by the next run. */
export async function observe(run: Run): Promise<void> {
  const { id, appState, messages } = run.context().agent;
  const { warn, hooks, pipeline } = run;
  const toolNames = run.options.tools.map(({ name }) => name);
  const observed = OBSERVED.get(hooks) ?? new Map<AnyHandler, Promise<void>>();
  OBSERVED.set(hooks, observed);
  for (const handler of pipeline.handlers) {
    if (handler.observeAgent === undefined) continue;
    const observes = async () => handler.observeAgent?.({ id, appState, messages, hooks, toolNames, warn });
    const done = observed.get(handler) ?? onFailure(observes, () => void observed.delete(handler));
    observed.set(handler, done);
    const [end] = await Promise.allSettled([within(done, observeLimit(run, handler))]);
    // A cancelled run starts nothing, and says itself that it was cancelled.
    if (run.signal.aborted) return;
    if (end.status === 'rejected') throw end.reason;
  }
  if (INITIALIZED.has(hooks)) return;
  INITIALIZED.add(hooks);
  await run.tell(new InitializedEvent(run.context()));
}

function observeLimit({ signal, options, limits }: Run, { name: handler }: AnyHandler) {
  const timeoutMs = limits.handlerTimeoutMs;
  const late = `${handler}.observeAgent did not end in ${timeoutMs} ms. Return sooner, or raise the limit.`;
  const onTimeout = () => new HandlerFailureError(late, { handler, event: 'observeAgent' });
  return { signal, timers: options.timers, timeoutMs, onTimeout };
}

interface Invoked {
  readonly rest: LoopEnd;
  /** Input with which a callback wants the agent to go on. */
  readonly resume?: AfterInvocationEvent['resume'];
}

/** Runs the phases between one pair of before and after, which is completed whatever happens. */
async function invoke(run: Run, input: NonNullable<LoopOptions['input']>): Promise<Invoked> {
  try {
    const rest = await phases(run, input);
    const after = new AfterInvocationEvent(run.context());
    await run.tell(after);
    return rest.type === 'finished' ? { rest, resume: after.resume } : { rest };
    // The run was stopped, which is an outcome, or something failed, which is audited and goes to the caller.
  } catch (error) {
    const stopped = stoppedBy(run, error);
    run.abort(error);
    await run.close(new AfterInvocationEvent(run.context(), { error }));
    if (stopped === undefined) {
      run.audit(() => ({ kind: 'outcome', action: 'failed', reason: thrownWithKind(error) }));
      await saveReopened(run);
      throw error;
    }
    if (stopped === 'cancelled') await tidyUp(run);
    return { rest: { type: 'stopped', reason: stopped } };
  }
}

type Phase = { readonly type: 'cycle' } | { readonly type: 'batch'; readonly resumed: boolean };

async function phases(run: Run, input: NonNullable<LoopOptions['input']>): Promise<LoopEnd> {
  const refused = await beginInvocation(run, input);
  if (refused !== undefined) return refused;
  let phase: Phase = run.state().pending === undefined ? { type: 'cycle' } : { type: 'batch', resumed: true };
  for (let turns = 0; ; ) {
    run.check();
    if (phase.type === 'batch') {
      const rest = await batch(run, phase.resumed);
      if (rest !== undefined) return rest;
      phase = { type: 'cycle' };
    } else {
      // A question about this model call is answered first: new messages would change the call.
      const asked = (run.state().interrupts ?? []).length > 0;
      if (!asked) for (const message of (await run.options.incoming?.()) ?? []) await run.say(message);
      run.check();
      const limit = reached(run, turns);
      if (limit !== undefined) return { type: 'stopped', reason: limit };
      turns += 1;
      const rest = await cycle(run);
      if (rest !== undefined) return rest;
      phase = run.state().pending === undefined ? { type: 'cycle' } : { type: 'batch', resumed: false };
    }
  }
}

/** Takes one answer of the model; `undefined` when its tool calls are still to be done. */
async function cycle(run: Run): Promise<LoopEnd | undefined> {
  const turn = await takeTurn(run);
  if (turn.type === 'paused') return { type: 'interrupted', interrupts: turn.interrupts };
  const { answer, endedBy } = turn;
  const { message, stopReason } = answer;
  if (stopReason === 'maxTokens') throw new ModelOutputLimitError(message);
  await run.remember({ type: 'turn', answer });
  const calls = toolUsesOf(message);
  if (calls.length > 0 && stopReason !== 'toolUse') {
    // An answer that broke off may hold half a call.
    for (const { toolUseId } of calls) {
      const result = errorResult(toolUseId, `The answer ended with ${stopReason}, so this tool call did not run.`);
      await run.remember({ type: 'result', result, executed: false });
    }
  } else if (calls.length > 0) return undefined;
  await run.tell(new MessageAddedEvent(run.context(), { message }));
  run.show({ type: 'message', message });
  if (stopReason === 'pauseTurn') return undefined;
  return { type: 'finished', stopReason, message, ...given({ endedBy }) };
}

async function batch(run: Run, resumed: boolean): Promise<LoopEnd | undefined> {
  const { pending } = run.state();
  if (pending === undefined) return undefined;
  const end = await runBatch(run, pending, resumed);
  if (end.type === 'paused') return { type: 'interrupted', interrupts: end.interrupts };
  run.book.clear();
  const [request, results] = run.state().messages.slice(-2);
  const after = new AfterToolsEvent(run.context(resumed), { results: toolResultsOf(results) });
  await run.tell(after);
  for (const message of [request, results]) {
    if (message === undefined) continue;
    await run.tell(new MessageAddedEvent(run.context(), { message }));
    run.show({ type: 'message', message });
  }
  const reaction = strongestReaction(end.reactions);
  if (after.endTurn !== false || reaction === undefined)
    return endTurn(run, after.endTurn, { handler: 'hook', results });
  const { handler } = reaction;
  return endTurn(run, reaction.reaction.type === 'stop' || reaction.reaction.text, { handler, results });
}

/** Ends the run without asking the model again: with a last message or, when that would be empty, with the results. */
async function endTurn(
  run: Run,
  last: AfterToolsEvent['endTurn'],
  { handler, results }: { readonly handler: string; readonly results: Message | undefined },
): Promise<LoopEnd | undefined> {
  if (last === false) return undefined;
  const content = last === true ? [] : contentOf(last);
  if (content.length === 0) {
    const endedBy = handler === 'hook' ? {} : { endedBy: { handler, text: '' } };
    return { type: 'finished', stopReason: 'endTurn', message: results, ...endedBy };
  }
  const message: Message = { role: 'assistant', content, origin: 'intervention' };
  await run.say(message);
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { type: 'finished', stopReason: 'endTurn', message, endedBy: { handler, text } };
}

/** The content without empty texts, because a provider refuses a conversation that contains them. */
function contentOf(last: string | readonly ContentBlock[]): readonly ContentBlock[] {
  const blocks: readonly ContentBlock[] = typeof last === 'string' ? [{ type: 'text', text: last }] : last;
  return blocks.filter((block) => block.type !== 'text' || block.text.trim() !== '');
}

function reached(run: Run, turns: number): StoppedReason | undefined {
  const { limits } = run;
  const { inputTokens, outputTokens } = run.usage();
  if (turns >= limits.turns) return 'limitTurns';
  if (inputTokens + outputTokens >= limits.totalTokens) return 'limitTotalTokens';
  return outputTokens >= limits.outputTokens ? 'limitOutputTokens' : undefined;
}
