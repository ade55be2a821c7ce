import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { createTracing, type TracingOptions } from '../../../app/agent/tracing.ts';
import { HumanInTheLoop } from '../../../interventions/index.ts';
import { agent } from '../../support/agent.ts';
import { call, scriptedModel, witness } from '../../support/scripted-model.ts';

interface Seen {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly events: string[];
  parent: string | undefined;
  status: number;
  ended: number;
}

/** A tracer that remembers its spans. */
function recorder(): { readonly tracer: Tracer; readonly spans: readonly Seen[] } {
  const spans: Seen[] = [];
  const nameOf = new WeakMap<Span, string>();
  const startSpan = (
    name: string,
    { attributes = {} }: { attributes?: Attributes } = {},
    context: Context = ROOT_CONTEXT,
  ) => {
    const parent = trace.getSpan(context);
    const seen: Seen = {
      name,
      attributes: { ...attributes },
      events: [],
      parent: parent === undefined ? undefined : nameOf.get(parent),
      status: SpanStatusCode.UNSET,
      ended: 0,
    };
    spans.push(seen);
    const span: Span = {
      spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
      setAttribute: (key, value) => {
        seen.attributes[key] = value;
        return span;
      },
      setAttributes: (more) => {
        Object.assign(seen.attributes, more);
        return span;
      },
      addEvent: (event) => {
        seen.events.push(event);
        return span;
      },
      addLink: () => span,
      addLinks: () => span,
      setStatus: ({ code, message }) => {
        seen.status = code;
        if (message !== undefined) seen.attributes.message = message;
        return span;
      },
      updateName: () => span,
      end: () => {
        seen.ended += 1;
      },
      isRecording: () => true,
      recordException: () => {
        throw new Error('Exceptions quote what people said.');
      },
    };
    nameOf.set(span, name);
    return span;
  };
  const startActiveSpan = () => {
    throw new Error('The loop is not run inside a span.');
  };
  return { tracer: { startSpan, startActiveSpan }, spans };
}

async function traced(options: Omit<TracingOptions, 'tracer'> = {}, yes = true) {
  const { tracer, spans } = recorder();
  const tracing = createTracing({ ...options, tracer });
  const ask = tracing.ask(() => yes);
  const made = agent({
    model: tracing.model(scriptedModel([call('deploy', { password: 'hunter2' })], 'Done.')),
    tools: [witness('deploy', () => 'deployed with hunter2')],
    interventions: [new HumanInTheLoop({ ask })],
    hooks: [tracing],
  });
  await made.invoke('use hunter2');
  return spans;
}

describe('tracing', () => {
  it('makes a span for the run, each turn, each tool call and each wait for a person, and ends each once', async () => {
    const spans = await traced();

    expect(spans.map(({ name, parent }) => `${name} in ${parent}`)).toEqual([
      'run in undefined',
      'turn in run',
      'tool call in run',
      'approval wait in tool call',
      'turn in run',
    ]);
    expect(spans.map(({ ended }) => ended)).toEqual([1, 1, 1, 1, 1]);
    expect(spans[0]?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 20, 'gen_ai.agent.id': 'default' });
    expect(spans[1]?.attributes).toMatchObject({ 'gen_ai.response.finish_reasons': ['toolUse'] });
    expect(spans[2]?.attributes).toMatchObject({ 'gen_ai.tool.name': 'deploy', 'countersign.executed': true });
  });

  it('holds no words of people and tools unless the deployment asks for them', async () => {
    expect(JSON.stringify(await traced())).not.toContain('hunter2');
    const loud = (await traced({ content: true })).find(({ name }) => name === 'tool call');

    expect(loud?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"password":"hunter2"}',
      'gen_ai.tool.call.result': expect.stringContaining('deployed with hunter2'),
    });
  });

  it('says of a refused call that it did not run', async () => {
    const refused = (await traced({}, false)).find(({ name }) => name === 'tool call');

    expect(refused?.attributes).toMatchObject({ 'countersign.executed': false, 'countersign.result': 'error' });
  });

  it('keeps only scalars and lists of scalars of a run’s labels', async () => {
    const attributes = { team: 'ops', size: 3, on: true, tags: ['a', 'b'], mixed: ['a', 1], deep: { a: 1 }, no: null };
    const [run] = await traced({ attributes });

    expect(run?.attributes).toMatchObject({ team: 'ops', size: 3, on: true, tags: ['a', 'b'] });
    expect(Object.keys(run?.attributes ?? {})).not.toEqual(expect.arrayContaining(['mixed']));
    expect(run?.attributes).not.toHaveProperty('deep');
    expect(run?.attributes).not.toHaveProperty('no');
  });

  it('names the kind of failure that ended a run, adds words only on request, and leaves no span open', async () => {
    const failing = async (content: boolean) => {
      const { tracer, spans } = recorder();
      const tracing = createTracing({ tracer, content });
      const model = tracing.model(scriptedModel(new RangeError('hunter2')));
      await agent({ model, hooks: [tracing], retryStrategy: null })
        .invoke('go')
        .catch(() => {});
      return spans;
    };
    const quiet = await failing(false);

    expect(quiet.map(({ name, status, ended }) => [name, status, ended])).toEqual([
      ['run', SpanStatusCode.ERROR, 1],
      ['turn', SpanStatusCode.ERROR, 1],
    ]);
    expect(quiet[0]?.attributes['error.type']).toBe('RangeError');
    expect(JSON.stringify(quiet)).not.toContain('hunter2');
    expect(JSON.stringify(await failing(true))).toContain('RangeError: hunter2');
  });

  it('measures a pause once the run is resumed', async () => {
    const { tracer, spans } = recorder();
    const tracing = createTracing({ tracer });
    const made = agent({
      model: scriptedModel([call('deploy')], 'Done.'),
      tools: [witness('deploy')],
      interventions: [new HumanInTheLoop()],
      hooks: [tracing],
    });
    const { interrupts } = await made.invoke('go');
    await made.invoke(interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: true } })));

    expect(spans[0]).toMatchObject({ name: 'run', events: ['interrupt'] });
    expect(spans.filter(({ name }) => name === 'approval wait')).toMatchObject([
      { parent: 'run', attributes: { 'countersign.wait': 'paused' } },
    ]);
    expect(spans.every(({ ended }) => ended === 1)).toBe(true);
  });

  it('changes nothing when no exporter collects spans', async () => {
    const made = agent({ model: scriptedModel('Ok.'), traceAttributes: { team: 'ops' } });

    expect(`${await made.invoke('hi')}`).toBe('Ok.');
  });
});
