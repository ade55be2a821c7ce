import { describe, expect, it } from 'vitest';
import {
  AfterInvocationEvent,
  AfterToolCallEvent,
  BeforeToolCallEvent,
  createHookRegistry,
  type HookProvider,
  HumanInTheLoop,
} from '../../../../interventions/index.ts';
import { agent, reply } from '../../../support/agent.ts';
import { call, deferred, loop, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

const executors = ['concurrent', 'sequential'] as const;

function watchedHooks() {
  const hooks = createHookRegistry();
  const after: string[] = [];
  const provider: HookProvider = {
    registerHooks: ({ addCallback }) => {
      addCallback(AfterInvocationEvent, ({ type }) => void after.push(type));
      addCallback(AfterToolCallEvent, ({ toolUse }) => void after.push(toolUse.name));
    },
  };
  hooks.addHook(provider);
  return { hooks, provider, after };
}

describe('aborting a run', () => {
  it.each(executors)(
    'ends it with the error that ask threw, and runs nothing more (%s) (A-01, A-06)',
    async (executor) => {
      const { hooks, after } = watchedHooks();
      const tool = witness('t');
      const model = scriptedModel([call('t')], [call('t', {}, 't-2')], 'Done.');
      let asked = 0;
      const gate = new HumanInTheLoop({
        ask: () => {
          asked += 1;
          throw new Error('Slack is gone');
        },
      });

      await expect(loop({ model, tools: [tool], interventions: [gate], executor, hooks })).rejects.toThrow(
        'Slack is gone',
      );
      await new Promise(setImmediate);
      expect([model.requests.length, tool.runs.length, asked]).toEqual([1, 0, 1]);
      expect(after).toEqual(['t', 'afterInvocation']);
    },
  );

  it.each(executors)('runs nothing after a hook has thrown (%s) (A-02, A-06)', async (executor) => {
    const { hooks, after } = watchedHooks();
    hooks.addCallback(BeforeToolCallEvent, (event) => {
      if (event.toolUse.name === 'x') throw new Error('broken hook');
    });
    const [x, y] = [witness('x'), witness('y')];
    const model = scriptedModel([call('x')], [call('y')], 'Done.');
    const gate = new HumanInTheLoop({ allowedTools: ['x'], ask: () => true });

    await expect(loop({ model, tools: [x, y], interventions: [gate], executor, hooks })).rejects.toThrow('broken hook');
    await new Promise(setImmediate);
    expect([model.requests.length, x.runs.length, y.runs.length]).toEqual([1, 0, 0]);
    expect(after).toEqual(['x', 'afterInvocation']);
  });

  it.each(executors)('runs nothing after the watcher has left at a free tool (%s) (A-03, A-06)', async (executor) => {
    const { provider, after } = watchedHooks();
    const [x, y] = [witness('x'), witness('y')];
    const model = scriptedModel([call('x')], [call('y')], 'Done.');
    const one = agent({
      model,
      tools: [x, y],
      hooks: [provider],
      toolExecutor: executor,
      interventions: [new HumanInTheLoop({ allowedTools: ['x'] })],
    });
    for await (const event of one.stream('go')) if (event.type === 'beforeToolCall') break;
    await new Promise(setImmediate);

    expect([model.requests.length, x.runs.length, y.runs.length]).toEqual([1, 0, 0]);
    expect(after).toEqual(['x', 'afterInvocation']);
    // The agent is free again: the next invocation works.
    expect((await one.invoke('and now?')).interrupts).toHaveLength(1);
  });

  it.each(executors)(
    'keeps it resumable when the watcher leaves at the question (%s) (A-04, A-06)',
    async (executor) => {
      const { provider, after } = watchedHooks();
      const tool = witness('t');
      const one = agent({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [tool],
        hooks: [provider],
        toolExecutor: executor,
        interventions: [new HumanInTheLoop()],
      });
      for await (const event of one.stream('go')) if (event.type === 'interrupt') break;

      expect(tool.runs).toEqual([]);
      expect(after).toEqual(['afterInvocation']);
      const [question] = await one.interrupts();
      expect(question?.name).toBe('countersign:human-in-the-loop');
      await one.invoke([reply(question, 'yes')]);
      expect(tool.runs).toHaveLength(1);
    },
  );

  it.each(executors)(
    'returns at once when the run is cancelled during a question, and ignores a late yes (%s) (A-05, A-06)',
    async (executor) => {
      const { hooks, after } = watchedHooks();
      const tool = witness('t');
      const answer = deferred<boolean>();
      const controller = new AbortController();
      const model = scriptedModel([call('t')], 'Done.');
      const gate = new HumanInTheLoop({ ask: () => answer.promise });
      const running = loop({ model, tools: [tool], interventions: [gate], hooks, executor, signal: controller.signal });
      await new Promise(setImmediate);
      controller.abort('cancelled');
      const outcome = await running;
      answer.resolve(true);
      await new Promise(setImmediate);

      expect(outcome).toMatchObject({ type: 'stopped', reason: 'cancelled' });
      expect([tool.runs.length, model.requests.length]).toEqual([0, 1]);
      expect(resultsOf(outcome.state.messages)).toEqual(['t-1: error Tool execution cancelled']);
      expect(after).toEqual(['t', 'afterInvocation']);
    },
  );

  it('keeps the result of a sibling before the failure reaches the caller', async () => {
    const facts: unknown[] = [];
    const free = witness('free');
    const gate = new HumanInTheLoop({
      allowedTools: ['free'],
      ask: async () => {
        await new Promise(setImmediate);
        throw new Error('no answer possible');
      },
    });
    const failing = loop({
      model: scriptedModel([call('free'), call('gated')]),
      tools: [free, witness('gated')],
      interventions: [gate],
      record: async (fact) => void facts.push(fact),
    });

    await expect(failing).rejects.toThrow('no answer possible');
    expect(facts.at(-1)).toMatchObject({ type: 'result', executed: true, result: { toolUseId: 'free-1' } });
  });
});
