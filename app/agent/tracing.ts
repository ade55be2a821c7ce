import { type Attributes, context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  type AskExtras,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  HOOK_ORDER,
  type HookProvider,
  InterruptEvent,
  type InvocationState,
  thrownWithKind,
} from '../../interventions/index.ts';
import { given } from '../given.ts';
import { shortened } from '../log.ts';
import { addUsage, NO_USAGE } from './cost.ts';
import { onFailure } from './on-failure.ts';
import type { ModelFunction, Usage } from './ports.ts';
import { type ScalarAttributes, scalarsOf, type TraceAttributes } from './tracing-attributes.ts';

export type { TraceAttributes } from './tracing-attributes.ts';

export interface TracingOptions {
  readonly tracer?: Tracer;
  /** Attributes for the span of each run, or how to find those of one. Only scalars and lists of scalars are kept. */
  readonly attributes?: TraceAttributes | ((invocationState: InvocationState) => TraceAttributes);
  /** Writes tool inputs, results and error messages into spans. Off by default, because they belong to people. */
  readonly content?: boolean;
  readonly agentName?: string;
}

/** Makes spans for runs, turns, tool calls and waits for people. The loop does not know of them. */
export interface Tracing extends HookProvider {
  /** Writes the usage of each answer into the span of its turn. */
  readonly model: (model: ModelFunction) => ModelFunction;
  /** Makes a span that lasts as long as a person is asked. */
  readonly ask: (ask: Ask) => Ask;
}

type Ask = (prompt: string, extras: AskExtras) => unknown;

/** The open spans of one run. */
interface RunSpans {
  readonly run: Span;
  turn: Span | undefined;
  readonly calls: Map<string, Span>;
  usage: Usage;
}

/** The open spans of one tracing, and how it opens and ends a span. */
interface OpenSpans {
  /** All events of a run, its model and its tools share one signal. */
  readonly runs: WeakMap<AbortSignal, RunSpans>;
  /** The spans of calls about which a person may be asked, by the id of the call. */
  readonly asking: Map<string, Span>;
  /** The time at which an agent paused, by its id. */
  readonly pausedAt: Map<string, number>;
  readonly startUnder: (parent: Span | undefined, name: string, more: Attributes, startTime?: number) => Span;
  readonly end: (span: Span, error?: unknown) => void;
}

export function createTracing(options: TracingOptions = {}): Tracing {
  const { tracer = trace.getTracer('countersign'), content = false, agentName, attributes = {} } = options;
  const attributesOf = typeof attributes === 'function' ? attributes : () => attributes;
  const open = openSpans(tracer, content);
  return {
    registerHooks: ({ addCallback }) => {
      // Registered first for openings and last for ends, so that a span holds what all other callbacks do.
      const first = { order: HOOK_ORDER.first };
      const last = { order: HOOK_ORDER.last };
      const about = ({ agent, invocationState }: BeforeInvocationEvent) => ({
        ...scalarsOf(attributesOf(invocationState)),
        ...operation('invoke_agent'),
        ...agentOf(agent.id, agentName),
      });
      addCallback(BeforeInvocationEvent, (event) => beginRun(open, event, about(event)), first);
      addCallback(AfterInvocationEvent, (event) => endRun(open, event), last);
      addCallback(BeforeModelCallEvent, (event) => beginTurn(open, event), first);
      addCallback(AfterModelCallEvent, (event) => endTurn(open, event), last);
      addCallback(BeforeToolCallEvent, (event) => beginCall(open, event, content), first);
      addCallback(AfterToolCallEvent, (event) => endCall(open, event, content), last);
      addCallback(InterruptEvent, (event) => notePause(open, event));
    },
    model: (model) => countingUsage(open, model),
    ask: (ask) => tracingWait(open, ask),
  };
}

function openSpans(tracer: Tracer, content: boolean): OpenSpans {
  return {
    runs: new WeakMap(),
    asking: new Map(),
    pausedAt: new Map(),
    startUnder: (parent, name, attributes, startTime) => {
      const within = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
      return tracer.startSpan(name, { attributes, ...given({ startTime }) }, within);
    },
    end: (span, error) => {
      if (error !== undefined) fail(span, error, content);
      span.end();
    },
  };
}

function beginRun(open: OpenSpans, event: BeforeInvocationEvent, about: Attributes): void {
  const { id } = event.agent;
  const run = open.startUnder(undefined, 'run', about);
  open.runs.set(event.signal, { run, turn: undefined, calls: new Map(), usage: NO_USAGE });
  const since = open.pausedAt.get(id);
  if (since === undefined) return;
  open.pausedAt.delete(id);
  open.startUnder(run, 'approval wait', { 'countersign.wait': 'paused' }, since).end();
}

function endRun(open: OpenSpans, event: AfterInvocationEvent): void {
  const spans = open.runs.get(event.signal);
  if (spans === undefined) return;
  for (const [toolUseId, span] of spans.calls) {
    open.asking.delete(toolUseId);
    open.end(span);
  }
  if (spans.turn !== undefined) open.end(spans.turn);
  spans.run.setAttributes(usageOf(spans.usage));
  open.end(spans.run, event.error);
  open.runs.delete(event.signal);
}

function beginTurn(open: OpenSpans, event: BeforeModelCallEvent): void {
  const spans = open.runs.get(event.signal);
  const about = { ...operation('chat'), 'countersign.attempt': event.attempt };
  if (spans !== undefined) spans.turn = open.startUnder(spans.run, 'turn', about);
}

function endTurn(open: OpenSpans, event: AfterModelCallEvent): void {
  const spans = open.runs.get(event.signal);
  if (spans?.turn === undefined) return;
  if (event.stopData !== undefined) {
    spans.turn.setAttribute('gen_ai.response.finish_reasons', [event.stopData.stopReason]);
  }
  open.end(spans.turn, event.error);
  spans.turn = undefined;
}

function beginCall(open: OpenSpans, event: BeforeToolCallEvent, content: boolean): void {
  const spans = open.runs.get(event.signal);
  const { name, toolUseId, input } = event.toolUse;
  const about = { ...operation('execute_tool'), 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': toolUseId };
  const said = content ? { 'gen_ai.tool.call.arguments': JSON.stringify(input) } : {};
  const span = open.startUnder(spans?.run, 'tool call', { ...about, ...said, 'countersign.attempt': event.attempt });
  spans?.calls.set(toolUseId, span);
  open.asking.set(toolUseId, span);
}

function endCall(open: OpenSpans, event: AfterToolCallEvent, content: boolean): void {
  const { toolUseId } = event.toolUse;
  const spans = open.runs.get(event.signal);
  const span = spans?.calls.get(toolUseId);
  if (span === undefined) return;
  spans?.calls.delete(toolUseId);
  open.asking.delete(toolUseId);
  span.setAttributes({ 'countersign.executed': event.executed, 'countersign.result': event.result.status });
  if (content) span.setAttribute('gen_ai.tool.call.result', JSON.stringify(event.result.content));
  open.end(span, event.error);
}

function notePause(open: OpenSpans, event: InterruptEvent): void {
  open.runs.get(event.signal)?.run.addEvent('interrupt', { 'countersign.interrupt': event.interrupt.name });
  open.pausedAt.set(event.agent.id, event.nowMs);
}

function countingUsage(open: OpenSpans, model: ModelFunction): ModelFunction {
  return async (request, modelContext) => {
    const answer = await model(request, modelContext);
    const spans = open.runs.get(modelContext.signal);
    if (spans !== undefined) {
      spans.usage = addUsage(spans.usage, answer.usage);
      spans.turn?.setAttributes(usageOf(answer.usage));
    }
    return answer;
  };
}

function tracingWait(open: OpenSpans, ask: Ask): Ask {
  return async (prompt, extras) => {
    const { name, toolUseId } = extras.toolUse;
    const about = { 'countersign.wait': 'asked', 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': toolUseId };
    const span = open.startUnder(open.asking.get(toolUseId), 'approval wait', about);
    // Asking may fail or be given up. The span ends with the error, which goes to the caller.
    const answer = await onFailure(
      () => ask(prompt, extras),
      (error) => open.end(span, error),
    );
    open.end(span);
    return answer;
  };
}

/** Marks a span as failed. A message may quote a person or an input, so by default only the kind of error is written. */
function fail(span: Span, error: unknown, content: boolean): void {
  const name = error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', name);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(content ? { message: shortened(thrownWithKind(error)) } : {}) });
}

function operation(name: 'invoke_agent' | 'chat' | 'execute_tool'): ScalarAttributes {
  return { 'gen_ai.operation.name': name };
}

function agentOf(id: string, name: string | undefined): ScalarAttributes {
  return { 'gen_ai.agent.id': id, ...given({ 'gen_ai.agent.name': name }) };
}

function usageOf(usage: Usage): ScalarAttributes {
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read_tokens': usage.cacheReadTokens,
    'gen_ai.usage.cache_write_tokens': usage.cacheWriteTokens,
  };
}
