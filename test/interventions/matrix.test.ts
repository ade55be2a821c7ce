import { describe, expect, it } from 'vitest';
import type { LoopOutcome } from '../../app/agent/loop/loop.ts';
import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  type BeforeInvocationEvent,
  type BeforeModelCallEvent,
  type BeforeToolCallEvent,
  confirm,
  createHookRegistry,
  deny,
  EFFECTS,
  guide,
  type Handler,
  type InterventionEvent,
  MessageAddedEvent,
  ModelMessageEvent,
  proceed,
  type Warning,
} from '../../interventions/index.ts';
import { strictly } from '../support/profile.ts';
import { call, lastText, loop, resultsOf, says, scriptedModel, witness } from '../support/scripted-model.ts';

type Moment = InterventionEvent['type'];

/** One walk through every moment, with one handler that answers `action` once, at one of them. */
async function walk(moment: Moment, action: unknown) {
  const warnings: Warning[] = [];
  const events: string[] = [];
  const hooks = createHookRegistry();
  for (const kind of [
    AfterInvocationEvent,
    AfterModelCallEvent,
    AfterToolCallEvent,
    MessageAddedEvent,
    ModelMessageEvent,
  ]) {
    hooks.addCallback<InstanceType<typeof kind>>(kind, ({ type }) => void events.push(type));
  }
  let answered = false;
  const once = () => {
    if (answered) return proceed();
    answered = true;
    return action;
  };
  // The types forbid half of the matrix; what slips through at run time is what is tested here.
  const handler = { name: 'h', [moment]: once } as Handler;
  const tool = witness('t');
  const model = scriptedModel([call('t', { a: 1 })], 'Done.', 'Done again.');
  const outcome = await loop({
    model,
    hooks,
    tools: [tool],
    interventions: [handler],
    warn: (warning) => void warnings.push(warning),
    state: { messages: [] },
    input: [says('hello')],
  });
  return { outcome, warnings, events, tool, model };
}

const shape = ({ state }: LoopOutcome) =>
  state.messages.map(({ role, content }) => `${role}: ${content.map((block) => block.type).join('+')}`);
const WHOLE = ['user: text', 'assistant: toolUse', 'user: toolResult', 'assistant: text'];
const WHOLE_EVENTS = [
  'messageAdded',
  'modelMessage',
  'afterModelCall',
  'afterToolCall',
  'messageAdded',
  'messageAdded',
  'modelMessage',
  'afterModelCall',
  'messageAdded',
  'afterInvocation',
];

describe('the matrix', () => {
  it.each<[Moment, string]>([
    ['beforeInvocation', 'M-01'],
    ['beforeToolCall', 'M-02'],
    ['beforeModelCall', 'M-03'],
    ['afterToolCall', 'M-04'],
    ['afterModelCall', 'M-05'],
  ])('proceed on %s changes nothing and warns of nothing (%s)', async (moment) => {
    const { outcome, warnings, events, tool } = await walk(moment, proceed({ reason: 'for the log' }));

    expect(warnings).toEqual([]);
    expect(events).toEqual(WHOLE_EVENTS);
    expect(shape(outcome)).toEqual(WHOLE);
    expect(JSON.stringify(outcome.state)).not.toContain('for the log');
    expect(tool.runs).toHaveLength(1);
  });

  it('deny on beforeInvocation ends it with the reason (M-06)', async () => {
    const { outcome, events, model } = await walk('beforeInvocation', deny('closed on Sundays'));

    expect(outcome).toMatchObject({
      type: 'finished',
      stopReason: 'endTurn',
      endedBy: { handler: 'h', text: 'DENIED: closed on Sundays' },
      message: { origin: 'intervention', content: [{ text: 'DENIED: closed on Sundays' }] },
    });
    expect(shape(outcome)).toEqual(['user: text', 'assistant: text']);
    expect(events).toEqual(['messageAdded', 'messageAdded', 'afterInvocation']);
    expect(model.requests).toEqual([]);
  });

  it('deny on beforeToolCall gives the model the reason instead of a result (M-07)', async () => {
    const { outcome, events, tool } = await walk('beforeToolCall', deny('too risky'));

    expect(resultsOf(outcome.state.messages)).toEqual(['t-1: error DENIED: too risky']);
    expect(tool.runs).toEqual([]);
    expect(events).toEqual(WHOLE_EVENTS);
    expect(lastText(outcome)).toBe('Done.');
  });

  it('deny on beforeModelCall answers in place of the model (M-08)', async () => {
    const { outcome, events, model } = await walk('beforeModelCall', deny('budget is spent'));

    expect(outcome).toMatchObject({ stopReason: 'endTurn', endedBy: { handler: 'h' } });
    expect(lastText(outcome)).toBe('DENIED: budget is spent');
    expect(model.requests).toEqual([]);
    expect(events).toEqual(['messageAdded', 'afterModelCall', 'messageAdded', 'afterInvocation']);
  });

  it.each<[string, Moment, string, unknown]>([
    ['deny', 'afterToolCall', 'M-09', deny('too late')],
    ['deny', 'afterModelCall', 'M-10', deny('too late')],
    ['guide', 'afterToolCall', 'M-14', guide('too late')],
    ['confirm', 'beforeInvocation', 'M-16', confirm('sure?')],
    ['confirm', 'beforeModelCall', 'M-18', confirm('sure?')],
    ['confirm', 'afterToolCall', 'M-19', confirm('sure?')],
    ['confirm', 'afterModelCall', 'M-20', confirm('sure?')],
  ])('%s on %s has no effect and warns once (%s)', async (kind, moment, _id, action) => {
    const { outcome, warnings, events, tool } = await walk(moment, action);

    expect(warnings).toEqual([
      {
        handler: 'h',
        event: moment,
        action: kind,
        message: `h answered ${kind} on ${moment}, which has no effect there.`,
      },
    ]);
    expect(events).toEqual(WHOLE_EVENTS);
    expect(shape(outcome)).toEqual(WHOLE);
    expect(tool.runs).toHaveLength(1);
  });

  it('guide on beforeInvocation ends it with the advice (M-11)', async () => {
    const { outcome, model } = await walk('beforeInvocation', guide('ask in the other channel'));

    expect(lastText(outcome)).toBe('GUIDANCE: [h] ask in the other channel');
    expect(outcome).toMatchObject({ type: 'finished', stopReason: 'endTurn' });
    expect(model.requests).toEqual([]);
  });

  it('guide on beforeToolCall gives the model the advice instead of a result (M-12)', async () => {
    const { outcome, tool } = await walk('beforeToolCall', guide('use staging'));

    expect(resultsOf(outcome.state.messages)).toEqual(['t-1: error GUIDANCE: [h] use staging']);
    expect(tool.runs).toEqual([]);
  });

  it(
    'guide on beforeModelCall is shown to the model in this very call (M-13)',
    strictly('BEY-11', async () => {
      const { outcome, model } = await walk('beforeModelCall', guide('be short'));

      expect(model.requests[0]?.messages).toEqual([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hello' },
            { type: 'text', text: '[h] be short' },
          ],
        },
      ]);
      expect(outcome.state.messages[1]).toEqual({
        role: 'user',
        content: [{ type: 'text', text: '[h] be short' }],
        origin: 'guidance',
      });
      expect(model.requests).toHaveLength(2);
    }),
  );

  it('guide on afterModelCall throws the answer away and asks again with the advice (M-15)', async () => {
    const { outcome, events, model, tool } = await walk('afterModelCall', guide('no tools please'));

    expect(tool.runs).toEqual([]);
    expect(lastText(outcome)).toBe('Done.');
    expect(shape(outcome)).toEqual(['user: text', 'user: text', 'assistant: text']);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('[h] no tools please');
    expect(events.filter((type) => type === 'afterModelCall')).toHaveLength(2);
  });

  it.each([
    ['yes', 'success t is done', 1],
    ['no', 'error CONFIRMATION_FAILED: A person refused this tool call.', 0],
  ])(
    'confirm on beforeToolCall with the answer %s (M-17)',
    strictly('BEY-23', async (response, result, runs) => {
      const { outcome, tool } = await walk('beforeToolCall', confirm('Run t?', { response }));

      expect(resultsOf(outcome.state.messages)).toEqual([`t-1: ${result}`]);
      expect(tool.runs).toHaveLength(runs);
      expect(JSON.stringify(outcome.state)).not.toContain('Run t?');
    }),
  );

  it(
    'confirm on beforeToolCall pauses without an answer (M-17)',
    strictly('BEY-23', async () => {
      const { outcome, tool } = await walk('beforeToolCall', confirm('Run t?'));

      expect(outcome).toMatchObject({ type: 'interrupted', interrupts: [{ name: 'h', reason: 'Run t?' }] });
      expect(tool.runs).toEqual([]);
    }),
  );

  it('transform on beforeInvocation changes what people say (M-21)', async () => {
    const { model } = await walk('beforeInvocation', {
      type: 'transform',
      apply: (event: BeforeInvocationEvent) => void Object.assign(event, { messages: [says('changed')] }),
    });

    expect(model.requests[0]?.messages).toEqual([says('changed')]);
  });

  it('transform on beforeToolCall changes what runs (M-22)', async () => {
    const { tool } = await walk('beforeToolCall', {
      type: 'transform',
      apply: (event: BeforeToolCallEvent) => void Object.assign(event.toolUse, { input: { a: 2 } }),
    });

    expect(tool.runs).toEqual([{ a: 2 }]);
  });

  it('transform on beforeModelCall changes what the model is shown, in this call alone (M-23)', async () => {
    const { model, outcome } = await walk('beforeModelCall', {
      type: 'transform',
      apply: (event: BeforeModelCallEvent) => void Object.assign(event, { messages: [says('redacted')] }),
    });

    expect(model.requests[0]?.messages).toEqual([says('redacted')]);
    expect(outcome.state.messages[0]).toEqual(says('hello'));
  });

  it('transform on afterToolCall changes what is stored and shown (M-24)', async () => {
    const { outcome, model } = await walk('afterToolCall', {
      type: 'transform',
      apply: (event: AfterToolCallEvent) =>
        void Object.assign(event, {
          result: { ...event.result, toolUseId: 'other', content: [{ type: 'text', text: 'cut' }] },
        }),
    });

    expect(resultsOf(outcome.state.messages)).toEqual(['t-1: success cut']);
    expect(resultsOf(model.requests[1]?.messages ?? [])).toEqual(['t-1: success cut']);
  });

  it('transform on afterModelCall changes what is stored and acted upon (M-25)', async () => {
    const { outcome, tool } = await walk('afterModelCall', {
      type: 'transform',
      apply: (event: AfterModelCallEvent) => {
        if (event.stopData !== undefined)
          event.stopData.message = { role: 'assistant', content: [call('t', { a: 3 })] };
      },
    });

    expect(tool.runs).toEqual([{ a: 3 }]);
    expect(outcome.state.messages[1]?.content).toEqual([call('t', { a: 3 })]);
  });

  it('has one word in each of its 25 cells', () => {
    expect(EFFECTS).toEqual({
      beforeInvocation: { proceed: 'nothing', deny: 'cancel', guide: 'collect', confirm: 'warn', transform: 'apply' },
      beforeToolCall: { proceed: 'nothing', deny: 'cancel', guide: 'collect', confirm: 'confirm', transform: 'apply' },
      beforeModelCall: { proceed: 'nothing', deny: 'cancel', guide: 'collect', confirm: 'warn', transform: 'apply' },
      afterToolCall: { proceed: 'nothing', deny: 'warn', guide: 'warn', confirm: 'warn', transform: 'apply' },
      afterModelCall: { proceed: 'nothing', deny: 'warn', guide: 'collect', confirm: 'warn', transform: 'apply' },
    });
  });
});
