import { type Span, trace } from '@opentelemetry/api';
import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, THREAD, tool } from '../../../support/in-process/index.ts';

/** The spans of the whole process: how each is called, and what it is about. */
function recordSpans() {
  const spans: { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[] = [];
  const silent = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 });
  const startSpan = (name: string, options?: { readonly attributes?: Readonly<Record<string, unknown>> }): Span => {
    spans.push({ name, attributes: options?.attributes ?? {} });
    return silent;
  };
  const startActiveSpan = () => {
    throw new Error('A run is not started inside a span.');
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) });
  return spans;
}

afterEach(() => trace.disable());

it('names its run and its workspace in the span of each of two runs', async () => {
  const spans = recordSpans();
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.mention(ANN, 'thank you');
  await bot.passes(1_000);

  const runs = spans.filter(({ name }) => name === 'run').map(({ attributes }) => attributes);
  expect(runs).toMatchObject([{ 'countersign.team': THREAD.team }, { 'countersign.team': THREAD.team }]);
  expect(new Set(runs.map((about) => about['countersign.run']))).toHaveLength(2);
  expect(spans.map(({ name }) => name)).toEqual(['run', 'turn', 'tool call', 'approval wait', 'turn', 'run', 'turn']);
});
