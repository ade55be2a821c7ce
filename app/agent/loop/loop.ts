import {
  AfterInvocationEvent,
  AfterToolsEvent,
  AgentResultEvent,
  type AnyHandler,
  type ContentBlock,
  type HookRegistry,
  InitializedEvent,
  type Message,
  MessageAddedEvent,
  strongestReaction,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { ModelOutputLimitError } from '../model/index.ts';
import type { LoopEnd, LoopOutcome, StoppedReason } from '../outcome.ts';
import { errorResult, toolResultsOf, toolUsesOf } from '../transcript.ts';
import { beginInvocation } from './begin.ts';
import { runBatch } from './calls/batch.ts';
import type { LoopOptions } from './options.ts';
import { beginRun, type Run } from './run.ts';
import { stoppedBy, tidyUp } from './stop.ts';
import { takeTurn } from './turn.ts';

export type { LoopOutcome } from '../outcome.ts';
export type { LoopState, PendingBatch } from '../transcript.ts';
export type { LoopLimits, LoopOptions, LoopView } from './options.ts';

/**
 * Turn after turn, until finished, interrupted or stopped. What goes wrong rejects, and then nothing more has been
 * started: there is no generator here whose cleanup could go on with the work.
 *
 * An answered turn in `state.pending` is gone on with first: the model is not asked for it again, finished calls are
 * not run again, and unfinished ones go through all interventions again.
 */
export async function runLoop(options: LoopOptions): Promise<LoopOutcome> {
  const run = beginRun(options);
  await observe(run);
  let input = options.input ?? [];
  for (;;) {
    const held = run.state().held !== undefined;
    const { rest, resume: wanted } = await invoke(run, input);
    // What was said while people thought about letting other input in is not lost with its refusal.
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

/** Which handlers have been shown which registry. */
const OBSERVED = new WeakMap<HookRegistry, WeakSet<AnyHandler>>();

/** Handlers that want to see everything are told once, before anything happens. */
export async function observe(run: Run): Promise<void> {
  const { id, appState, messages } = run.context().agent;
  const { warn } = run;
  const { hooks, pipeline } = run;
  const toolNames = run.options.tools.map(({ name }) => name);
  const seen = OBSERVED.get(hooks) ?? new WeakSet();
  for (const handler of pipeline.handlers) {
    if (seen.has(handler)) continue;
    seen.add(handler);
    handler.observeAgent?.({ id, appState, messages, hooks, toolNames, warn });
  }
  if (OBSERVED.has(hooks)) return;
  OBSERVED.set(hooks, seen);
  await run.tell(new InitializedEvent(run.context()));
}

interface Invoked {
  readonly rest: LoopEnd;
  /** A callback wants the agent to go on with this. */
  readonly resume?: AfterInvocationEvent['resume'];
}

/** One pair of before and after, whatever happens in between. */
async function invoke(run: Run, input: NonNullable<LoopOptions['input']>): Promise<Invoked> {
  try {
    const rest = await phases(run, input);
    const after = new AfterInvocationEvent(run.context());
    await run.tell(after);
    return rest.type === 'finished' ? { rest, resume: after.resume } : { rest };
  } catch (error) {
    const stopped = stoppedBy(run, error);
    run.abort(error);
    await run.close(new AfterInvocationEvent(run.context(), { error }));
    if (stopped === undefined) {
      run.audit(() => ({ kind: 'outcome', action: 'failed', reason: String(error) }));
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
      // A question about this very model call is answered first: what people say meanwhile would change it.
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

/** One answer of the model. Nothing when its tool calls are still to be done. */
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

/** Ends without asking the model again, with a last message or, when that would be empty, with the results as they are. */
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

/** Without empty texts: a provider refuses a conversation that contains them. */
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
