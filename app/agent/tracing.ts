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
  type LoopEvent,
} from '../../interventions/index.ts';
import { addUsage, NO_USAGE } from './cost.ts';
import type { ModelFunction, Usage } from './ports.ts';
import { type ScalarAttributes, scalarsOf, type TraceAttributes } from './tracing-attributes.ts';

export type { TraceAttributes } from './tracing-attributes.ts';

export interface TracingOptions {
  readonly tracer?: Tracer;
  /** On the span of each run. What is neither a scalar nor a list of scalars is left out. */
  readonly attributes?: TraceAttributes;
  /** Writes tool inputs and results, and the words of errors, into spans. Default no: they are people's. */
  readonly content?: boolean;
  readonly agentName?: string;
}

/** Spans for runs, turns, tool calls and waits for people. The loop knows nothing of it. */
export interface Tracing extends HookProvider {
  /** Puts what an answer cost on the span of its turn. */
  readonly model: (model: ModelFunction) => ModelFunction;
  /** A span for as long as a person is asked. */
  readonly ask: (ask: Ask) => Ask;
}

type Ask = (prompt: string, extras: AskExtras) => unknown;

/** The spans of one run that are open. */
interface RunSpans {
  readonly run: Span;
  turn: Span | undefined;
  readonly calls: Map<string, Span>;
  usage: Usage;
}

export function createTracing(options: TracingOptions = {}): Tracing {
  const { tracer = trace.getTracer('countersign'), content = false, agentName } = options;
  const attributes = scalarsOf(options.attributes ?? {});
  // All events of a run, its model and its tools share one signal.
  const runs = new WeakMap<AbortSignal, RunSpans>();
  const asking = new Map<string, Span>();
  const pausedAt = new Map<string, number>();

  const spansOf = ({ signal }: LoopEvent) => runs.get(signal);
  const startUnder = (parent: Span | undefined, name: string, more: Attributes, startTime?: number): Span => {
    const within = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
    return tracer.startSpan(name, { attributes: more, ...(startTime === undefined ? {} : { startTime }) }, within);
  };
  const end = (span: Span, error?: unknown) => {
    if (error !== undefined) fail(span, error, content);
    span.end();
  };

  const beginRun = (event: BeforeInvocationEvent) => {
    const { id } = event.agent;
    const run = startUnder(undefined, 'run', {
      ...attributes,
      ...operation('invoke_agent'),
      ...agentOf(id, agentName),
    });
    runs.set(event.signal, { run, turn: undefined, calls: new Map(), usage: NO_USAGE });
    const since = pausedAt.get(id);
    if (since === undefined) return;
    pausedAt.delete(id);
    startUnder(run, 'approval wait', { 'countersign.wait': 'paused' }, since).end();
  };
  const endRun = (event: AfterInvocationEvent) => {
    const spans = spansOf(event);
    if (spans === undefined) return;
    for (const [toolUseId, span] of spans.calls) {
      asking.delete(toolUseId);
      end(span);
    }
    if (spans.turn !== undefined) end(spans.turn);
    spans.run.setAttributes(usageOf(spans.usage));
    end(spans.run, event.error);
    runs.delete(event.signal);
  };
  const beginCall = (event: BeforeToolCallEvent) => {
    const spans = spansOf(event);
    const { name, toolUseId, input } = event.toolUse;
    const about = { ...operation('execute_tool'), 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': toolUseId };
    const said = content ? { 'gen_ai.tool.call.arguments': JSON.stringify(input) } : {};
    const span = startUnder(spans?.run, 'tool call', { ...about, ...said, 'countersign.attempt': event.attempt });
    spans?.calls.set(toolUseId, span);
    asking.set(toolUseId, span);
  };
  const endCall = (event: AfterToolCallEvent) => {
    const { toolUseId } = event.toolUse;
    const span = spansOf(event)?.calls.get(toolUseId);
    if (span === undefined) return;
    spansOf(event)?.calls.delete(toolUseId);
    asking.delete(toolUseId);
    span.setAttributes({ 'countersign.executed': event.executed, 'countersign.result': event.result.status });
    if (content) span.setAttribute('gen_ai.tool.call.result', JSON.stringify(event.result.content));
    end(span, event.error);
  };

  return {
    registerHooks: ({ addCallback }) => {
      // First in, last out, so that a span holds what all others do at these moments.
      const first = { order: HOOK_ORDER.first };
      const last = { order: HOOK_ORDER.last };
      addCallback(BeforeInvocationEvent, beginRun, first);
      addCallback(AfterInvocationEvent, endRun, last);
      addCallback(
        BeforeModelCallEvent,
        (event) => {
          const spans = spansOf(event);
          const about = { ...operation('chat'), 'countersign.attempt': event.attempt };
          if (spans !== undefined) spans.turn = startUnder(spans.run, 'turn', about);
        },
        first,
      );
      addCallback(
        AfterModelCallEvent,
        (event) => {
          const spans = spansOf(event);
          if (spans?.turn === undefined) return;
          if (event.stopData !== undefined) {
            spans.turn.setAttribute('gen_ai.response.finish_reasons', [event.stopData.stopReason]);
          }
          end(spans.turn, event.error);
          spans.turn = undefined;
        },
        last,
      );
      addCallback(BeforeToolCallEvent, beginCall, first);
      addCallback(AfterToolCallEvent, endCall, last);
      addCallback(InterruptEvent, (event) => {
        spansOf(event)?.run.addEvent('interrupt', { 'countersign.interrupt': event.interrupt.name });
        pausedAt.set(event.agent.id, event.nowMs);
      });
    },
    model: (model) => async (request, modelContext) => {
      const answer = await model(request, modelContext);
      const spans = runs.get(modelContext.signal);
      if (spans !== undefined) {
        spans.usage = addUsage(spans.usage, answer.usage);
        spans.turn?.setAttributes(usageOf(answer.usage));
      }
      return answer;
    },
    ask: (ask) => async (prompt, extras) => {
      const { name, toolUseId } = extras.toolUse;
      const about = { 'countersign.wait': 'asked', 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': toolUseId };
      const span = startUnder(asking.get(toolUseId), 'approval wait', about);
      try {
        const answer = await ask(prompt, extras);
        end(span);
        return answer;
      } catch (error) {
        end(span, error);
        throw error;
      }
    },
  };
}

/** What went wrong may quote a person or an input, so without leave only its kind is told. */
function fail(span: Span, error: unknown, content: boolean): void {
  const name = error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', name);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(content ? { message: String(error) } : {}) });
}

function operation(name: 'invoke_agent' | 'chat' | 'execute_tool'): ScalarAttributes {
  return { 'gen_ai.operation.name': name };
}

function agentOf(id: string, name: string | undefined): ScalarAttributes {
  return { 'gen_ai.agent.id': id, ...(name === undefined ? {} : { 'gen_ai.agent.name': name }) };
}

function usageOf(usage: Usage): ScalarAttributes {
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read_tokens': usage.cacheReadTokens,
    'gen_ai.usage.cache_write_tokens': usage.cacheWriteTokens,
  };
}
