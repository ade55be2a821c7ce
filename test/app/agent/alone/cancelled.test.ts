import { describe, expect, it } from 'vitest';
import {
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  BeforeToolsEvent,
  HumanInTheLoop,
  type LoopEvent,
} from '../../../../interventions/index.ts';
import { agent, callbacks, linesOf, reply } from '../../../support/agent.ts';
import { call, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

type EventClass = Parameters<ReturnType<typeof callbacks>['addCallback']>[0];

/** An agent that a callback of one event cancels, and the results that callbacks see after the tools. */
function cancelledAt(at: EventClass, ...names: readonly string[]) {
  const told: string[] = [];
  const hooks = callbacks();
  hooks.addCallback<LoopEvent>(at, () => made.cancel());
  hooks.addCallback(AfterToolsEvent, ({ results }) =>
    told.push(...resultsOf([{ role: 'user', content: [...results] }])),
  );
  const tools = names.map((name) => witness(name));
  const model = scriptedModel(
    names.map((name) => call(name)),
    'Again.',
  );
  const made = agent({ model, tools, hooks: [hooks], toolExecutor: 'sequential' });
  return { made, told, tools, model };
}

describe('cancel()', () => {
  it.each([
    ['one tool', ['a'], ['a-1: success a is done']],
    [
      'the first of two sequential tools',
      ['a', 'b'],
      ['a-1: success a is done', 'b-1: error Tool execution cancelled'],
    ],
  ])(
    'closes the turn of an invocation that is cancelled after %s with a message, and the next invocation works (REF-11, AG-15)',
    async (_what, names, results) => {
      const { made, tools } = cancelledAt(AfterToolCallEvent, ...names);
      const { stopReason, lastMessage } = await made.invoke('go');

      expect(stopReason).toBe('cancelled');
      expect(tools.flatMap(({ runs }) => runs)).toHaveLength(1);
      expect(resultsOf(made.messages)).toEqual(results);
      expect(linesOf(made.messages).at(-1)).toBe('assistant: Cancelled by user');
      expect(lastMessage).toEqual(made.messages.at(-1));
      await made.invoke('again');
      expect(made.messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
        'assistant',
      ]);
    },
  );

  it('an invocation that is cancelled before its tools ends with a result for each call and shows callbacks these results (REF-12, AG-15)', async () => {
    const { made, told, tools } = cancelledAt(BeforeToolsEvent, 'a', 'b');
    const { stopReason } = await made.invoke('go');
    const results = ['a-1: error Tool execution cancelled', 'b-1: error Tool execution cancelled'];

    expect(stopReason).toBe('cancelled');
    expect(tools.flatMap(({ runs }) => runs)).toEqual([]);
    expect(resultsOf(made.messages)).toEqual(results);
    expect(told).toEqual(results);
    expect(linesOf(made.messages).at(-1)).toBe('user: [a-1 error] [b-1 error]');
  });

  it('an invocation that is cancelled between two sequential tools shows callbacks the result of each call (REF-12, AG-15)', async () => {
    const { made, told } = cancelledAt(AfterToolCallEvent, 'a', 'b');
    await made.invoke('go');

    expect(told).toEqual(['a-1: success a is done', 'b-1: error Tool execution cancelled']);
    expect(told).toEqual(resultsOf(made.messages));
  });

  it('a resume that is cancelled before its tools keeps the pause and shows callbacks only what had finished (REF-12, INT-22)', async () => {
    const told: string[] = [];
    const hooks = callbacks();
    hooks.addCallback(BeforeToolsEvent, ({ resumed }) => {
      if (resumed && told.length === 0) made.cancel();
    });
    hooks.addCallback(
      AfterToolsEvent,
      ({ results }) => void told.push(results.map(({ toolUseId }) => toolUseId).join()),
    );
    const [free, gated] = [witness('free'), witness('gated')];
    const made = agent({
      model: scriptedModel([call('free'), call('gated')], 'Done.'),
      tools: [free, gated],
      hooks: [hooks],
      interventions: [new HumanInTheLoop({ allowedTools: ['free'] })],
    });
    const { interrupts } = await made.invoke('go');
    const stopped = await made.invoke([reply(interrupts[0], true)]);

    expect(stopped.stopReason).toBe('cancelled');
    expect(told).toEqual(['free-1']);
    expect(`${await made.invoke()}`).toBe('Done.');
    expect([free.runs.length, gated.runs.length]).toEqual([1, 1]);
  });

  it('an invocation that is cancelled while callbacks look at an answer drops the answer, so no call of it needs a result (REF-13, AG-15, BEY-1)', async () => {
    const { made, told, tools, model } = cancelledAt(AfterModelCallEvent, 'a', 'b');
    const { stopReason } = await made.invoke('go');

    expect(stopReason).toBe('cancelled');
    expect(linesOf(made.messages)).toEqual(['user: go', 'assistant: Cancelled by user']);
    expect(told).toEqual([]);
    expect(tools.flatMap(({ runs }) => runs)).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });
});
