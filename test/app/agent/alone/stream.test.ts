import { describe, expect, it } from 'vitest';
import type { AgentItem } from '../../../../app/agent/alone/view.ts';
import { BeforeToolCallEvent, HumanInTheLoop } from '../../../../interventions/index.ts';
import { agent, kindsOf, linesOf } from '../../../support/agent.ts';
import { calling } from '../../../support/calling.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

describe('a stream', () => {
  it('shows everything in order, the result last (AG-41, AG-42)', async () => {
    const made = agent({ model: scriptedModel([call('look')], 'Seen.'), tools: [witness('look')] });

    expect(await kindsOf(made.stream('go'))).toEqual([
      'initialized',
      'beforeInvocation',
      'messageAdded',
      'beforeModelCall',
      'modelMessage',
      'afterModelCall',
      'beforeTools',
      'beforeToolCall',
      'toolCallBegins',
      'afterToolCall',
      'toolResult',
      'afterTools',
      'messageAdded',
      'messageAdded',
      'beforeModelCall',
      'text',
      'modelMessage',
      'afterModelCall',
      'messageAdded',
      'afterInvocation',
      'agentResult',
    ]);
  });

  it('shows a pause with one interrupt for each question, and a resume without the finished steps (AG-42)', async () => {
    const made = agent({
      model: scriptedModel([call('free'), call('a'), call('b')], 'Done.'),
      tools: [witness('free'), witness('a'), witness('b')],
      interventions: [new HumanInTheLoop({ allowedTools: ['free'] })],
    });
    const paused = await kindsOf(made.stream('go'));
    const answers = (await made.interrupts()).map(({ id }) => ({
      interruptResponse: { interruptId: id, response: true },
    }));
    const resumed = await kindsOf(made.stream(answers));

    expect(paused.slice(-4)).toEqual(['interrupt', 'interrupt', 'afterInvocation', 'agentResult']);
    expect(paused).not.toContain('afterTools');
    expect(resumed.slice(0, 4)).toEqual(['beforeInvocation', 'beforeTools', 'beforeToolCall', 'beforeToolCall']);
    expect(resumed.filter((kind) => kind === 'toolResult')).toHaveLength(2);
    expect(resumed.filter((kind) => kind === 'messageAdded')).toHaveLength(3);
  });

  it('shows an event after its callbacks and before what follows it (AG-43)', async () => {
    const order: string[] = [];
    const look = witness('look', () => {
      order.push('ran');
      return 'ok';
    });
    const made = agent({
      model: scriptedModel([call('look')], 'Seen.'),
      tools: [look],
      hooks: [
        {
          registerHooks: ({ addCallback }) =>
            void addCallback(BeforeToolCallEvent, async () => {
              await new Promise(setImmediate);
              order.push('callback');
            }),
        },
      ],
    });
    for await (const item of made.stream('go')) {
      if (item.type !== 'beforeToolCall') continue;
      await new Promise(setImmediate);
      order.push('shown');
    }

    expect(order).toEqual(['callback', 'shown', 'ran']);
  });

  it.each(['concurrent', 'sequential'] as const)(
    'runs nothing more when its reader leaves at the before-event of a free tool (%s) (BEY-1, A-03)',
    async (toolExecutor) => {
      const [free, gated] = [witness('free'), witness('gated')];
      let asked = 0;
      const ask = () => {
        asked += 1;
        return true;
      };
      const made = agent({
        model: scriptedModel([call('free')], [call('gated')], 'Fine.'),
        tools: [free, gated],
        interventions: [new HumanInTheLoop({ allowedTools: ['free'], ask })],
        toolExecutor,
      });
      for await (const item of made.stream('go')) if (item.type === 'beforeToolCall') break;
      for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);

      expect([free.runs.length, gated.runs.length, asked]).toEqual([0, 0, 0]);
      expect(linesOf(made.messages)).toEqual(['user: go', 'assistant: [free free-1]', 'user: [free-1 error]']);
      expect(await made.invoke('again')).toMatchObject({ stopReason: 'endTurn' });
      expect([gated.runs.length, asked]).toEqual([1, 1]);
    },
  );

  it('leaves a question open when its reader leaves at that question (BEY-1, A-04)', async () => {
    const gated = witness('gated');
    const made = agent({
      model: scriptedModel([call('gated')], 'Done.'),
      tools: [gated],
      interventions: [new HumanInTheLoop()],
    });
    for await (const item of made.stream('go')) if (item.type === 'interrupt') break;
    const open = await made.interrupts();

    expect([open.length, gated.runs.length]).toEqual([1, 0]);
    const answers = open.map(({ id }) => ({ interruptResponse: { interruptId: id, response: true } }));
    expect(`${await made.invoke(answers)}`).toBe('Done.');
  });

  it('begins with its first reader, and ends for good when that reader leaves (BEY-1)', async () => {
    const model = scriptedModel('Never.');
    const made = agent({ model });
    const stream = made.stream('go');
    await new Promise(setImmediate);
    await stream.return?.();

    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect([model.requests.length, made.messages.length]).toEqual([0, 0]);
  });

  it('passes a failure to its reader, after everything that happened before it (AG-8)', async () => {
    const made = agent({ model: scriptedModel(new Error('boom')), retryStrategy: null });
    const seen: AgentItem['type'][] = [];
    const watching = async () => {
      for await (const { type } of made.stream('go')) seen.push(type);
    };

    await expect(watching()).rejects.toThrow('boom');
    expect(seen.slice(-2)).toEqual(['afterModelCall', 'afterInvocation']);
  });

  it('ends when it is cancelled, even without a reader (AG-15)', async () => {
    const model = scriptedModel([call('look')]);
    const made = agent({ model, tools: [witness('look')] });
    const stream = made.stream('go');
    for (let next = await stream.next(); next.value?.type !== 'beforeToolCall'; next = await stream.next());
    made.cancel();
    const rest = await kindsOf(stream);

    expect(rest.slice(-2)).toEqual(['afterInvocation', 'agentResult']);
    expect(model.requests).toHaveLength(1);
  });
});

it('two readers of one stream share its items, and both end (AG-41)', async () => {
  const { made } = calling({});
  const stream = made().stream('go');
  const read = async () => {
    const kinds: string[] = [];
    for await (const { type } of stream) kinds.push(type);
    return kinds;
  };

  const all = (await Promise.all([read(), read()])).flat();

  expect(all.filter((type) => type === 'agentResult')).toHaveLength(1);
  expect(all).toContain('afterInvocation');
});
