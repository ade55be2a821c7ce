import { describe, expect, it } from 'vitest';
import { ModelOutputLimitError } from '../../../../app/agent/model/output-limit.ts';
import {
  AfterToolCallEvent,
  BeforeModelCallEvent,
  type Handler,
  HumanInTheLoop,
  proceed,
  type StopReason,
} from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { call, deferred, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

describe('the end of an invocation', () => {
  it.each<StopReason>([
    'endTurn',
    'stopSequence',
    'contentFiltered',
    'guardrailIntervened',
    'refusal',
    'contextWindowExceeded',
    'toolUse',
  ])('is what the model says: %s (G-10)', async (stopReason) => {
    const result = await agent({ model: scriptedModel({ text: 'So far.', stopReason }) }).invoke('go');

    expect(result).toMatchObject({ stopReason, interrupts: [] });
    expect(`${result}`).toBe('So far.');
  });

  it('is an error that keeps the text when the model reaches its output limit (G-10)', async () => {
    const made = agent({ model: scriptedModel({ text: 'So f', stopReason: 'maxTokens' }, 'Ok.') });
    const failure: unknown = await made.invoke('go').catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(ModelOutputLimitError);
    expect(failure).toMatchObject({ partial: { content: [{ text: 'So f' }] } });
    expect(linesOf(made.messages)).toEqual(['user: go']);
    expect(`${await made.invoke('go on')}`).toBe('Ok.');
  });

  it('goes on after a pause of the provider (G-10)', async () => {
    const model = scriptedModel({ text: 'Searching.', stopReason: 'pauseTurn' }, 'Found.');

    expect(`${await agent({ model }).invoke('go')}`).toBe('Found.');
  });

  it('is an interrupt with its questions, also as text and as JSON (G-10, AG-40, BEY-36)', async () => {
    const made = agent({
      model: scriptedModel([call('a'), call('b')]),
      tools: [witness('a'), witness('b')],
      interventions: [new HumanInTheLoop()],
    });
    const result = await made.invoke('go', { invocationState: { secret: 'token' } });

    expect(result).toMatchObject({ stopReason: 'interrupt', lastMessage: { role: 'assistant' } });
    expect(result.interrupts).toHaveLength(2);
    expect(JSON.parse(`${result}`)).toEqual(result.interrupts);
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({
      stopReason: 'interrupt',
      interrupts: result.interrupts,
    });
    expect(JSON.stringify(result)).not.toContain('token');
    expect(await made.interrupts()).toEqual(result.interrupts);
  });

  it('is cancelled before tools, with a result for every request (G-10, AG-15)', async () => {
    const tools = [witness('a'), witness('b')];
    const made = agent({
      model: scriptedModel([call('a'), call('b')], 'Never.', 'Again.'),
      tools,
      hooks: [
        {
          registerHooks: ({ addCallback }) => void addCallback(AfterToolCallEvent, () => made.cancel()),
        },
      ],
      toolExecutor: 'sequential',
    });
    const { stopReason } = await made.invoke('go');

    expect(stopReason).toBe('cancelled');
    expect(resultsOf(made.messages)).toEqual(['a-1: success a is done', 'b-1: error Tool execution cancelled']);
    expect(tools.map(({ runs }) => runs.length)).toEqual([1, 0]);
  });

  it('is cancelled from another place, with a text in place of the answer (G-10, AG-15)', async () => {
    const answer = deferred<never>();
    const controller = new AbortController();
    let calls = 0;
    const made = agent({
      model: (request, context) => {
        calls += 1;
        return calls === 1 ? answer.promise : scriptedModel('Again.')(request, context);
      },
    });
    const running = made.invoke('go', { cancelSignal: controller.signal });
    await new Promise(setImmediate);
    controller.abort();

    expect((await running).stopReason).toBe('cancelled');
    made.cancel();
    expect(`${await made.invoke('again')}`).toBe('Again.');
    expect(linesOf(made.messages)).toEqual([
      'user: go',
      'assistant: Cancelled by user',
      'user: again',
      'assistant: Again.',
    ]);
    const late = await made.invoke('more', { cancelSignal: AbortSignal.abort() });
    expect([late.stopReason, calls]).toEqual(['cancelled', 2]);
  });

  it.each([
    ['turns', { turns: 1 }, 'limitTurns'],
    ['all tokens', { totalTokens: 15 }, 'limitTotalTokens'],
    ['tokens of answers', { outputTokens: 5 }, 'limitOutputTokens'],
    ['turns, before tokens', { turns: 1, totalTokens: 1, outputTokens: 1 }, 'limitTurns'],
    ['all tokens, before those of answers', { totalTokens: 1, outputTokens: 1 }, 'limitTotalTokens'],
  ])('is reached by %s, at the top of a cycle (G-12)', async (_what, limits, stopReason) => {
    const model = () => scriptedModel([call('look')], 'Done.');
    const tools = [witness('look')];
    const byAgent = agent({ model: model(), tools, limits });
    const byCall = agent({ model: model(), tools });

    expect((await byAgent.invoke('go')).stopReason).toBe(stopReason);
    expect((await byCall.invoke('go', { limits })).stopReason).toBe(stopReason);
    expect(linesOf(byCall.messages)).toEqual(['user: go', 'assistant: [look look-1]', 'user: [look-1 success]']);
    expect(`${await byCall.invoke('go on')}`).toBe('Done.');
  });

  it('is not reached below its limits (G-12)', async () => {
    const limits = { turns: 2, totalTokens: 31, outputTokens: 11 };

    expect(
      (await agent({ model: scriptedModel([call('look')], 'Done.'), tools: [witness('look')], limits }).invoke('go'))
        .stopReason,
    ).toBe('endTurn');
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a limit of %d (G-12)', async (limit) => {
    const made = agent({ model: scriptedModel() });

    for (const name of ['turns', 'totalTokens', 'outputTokens']) {
      expect(() => agent({ model: scriptedModel(), limits: { [name]: limit } })).toThrow(TypeError);
      await expect(made.invoke('go', { limits: { [name]: limit } })).rejects.toThrow(TypeError);
    }
    expect(made.messages).toEqual([]);
  });

  it('keeps the results of sibling calls when one call fails the invocation (BEY-34)', async () => {
    const done = witness('done');
    const made = agent({
      model: scriptedModel([call('done'), call('bad')]),
      tools: [done, witness('bad')],
      interventions: [
        {
          name: 'fragile',
          beforeToolCall: async ({ toolUse }) => {
            for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
            if (toolUse.name === 'bad') throw new Error('handler broke');
            return { type: 'proceed' };
          },
        },
      ],
    });
    await expect(made.invoke('go')).rejects.toThrow('handler broke');

    expect(done.runs).toHaveLength(1);
    expect(resultsOf(made.messages)).toEqual(['done-1: success done is done', 'bad-1: error Tool execution cancelled']);
  });

  it.each(['concurrent', 'sequential'] as const)(
    'comes after the result of a call that runs while a question about another one fails (%s) (BEY-34)',
    async (toolExecutor) => {
      const begun = deferred<void>();
      const slow = witness('slow', async () => {
        begun.resolve();
        for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
        return 'sent';
      });
      const ask = async () => {
        await begun.promise;
        throw new Error('no network');
      };
      const made = agent({
        model: scriptedModel([call('slow'), call('asked')]),
        tools: [slow, witness('asked')],
        toolExecutor,
        // In the other profile, people are asked before any of these calls runs.
        profile: 'strict',
        interventions: [new HumanInTheLoop({ allowedTools: ['slow'], ask })],
      });
      await expect(made.invoke('go')).rejects.toThrow('no network');

      expect(resultsOf(made.messages)).toEqual(['slow-1: success sent', 'asked-1: error Tool execution cancelled']);
    },
  );

  it('drops an answer of which no call ran (BEY-1)', async () => {
    const made = agent({
      model: scriptedModel([call('a')], 'Ok.'),
      tools: [witness('a')],
      interventions: [{ name: 'fragile', beforeToolCall: () => Promise.reject(new Error('handler broke')) }],
    });
    await expect(made.invoke('go')).rejects.toThrow('handler broke');

    expect(linesOf(made.messages)).toEqual(['user: go']);
  });

  it('asks no further handler and no further person after a cancel (BEY-1)', async () => {
    const tools = [witness('a'), witness('b')];
    const calls = () => scriptedModel([call('a'), call('b')]);
    const heard: string[] = [];
    const cancelling: Handler = {
      name: 'first',
      beforeToolCall: () => {
        heard.push('first');
        silenced.cancel();
        return proceed();
      },
    };
    const next: Handler = {
      name: 'second',
      beforeToolCall: () => {
        heard.push('second');
        return proceed();
      },
    };
    const silenced = agent({ model: calls(), tools, interventions: [cancelling, next] });
    const ask = () => {
      heard.push('asked');
      withdrawn.cancel();
      return true;
    };
    const withdrawn = agent({ model: calls(), tools, interventions: [new HumanInTheLoop({ ask })] });

    expect((await silenced.invoke('go')).stopReason).toBe('cancelled');
    expect(heard).toEqual(['first']);
    expect((await withdrawn.invoke('go')).stopReason).toBe('cancelled');
    expect(heard).toEqual(['first', 'asked']);
    expect(tools.map(({ runs }) => runs.length)).toEqual([0, 0]);
  });

  it('passes a failure of a hook to the caller, and is free again', async () => {
    let failures = 1;
    const made = agent({
      model: scriptedModel('Ok.'),
      hooks: [
        {
          registerHooks: ({ addCallback }) =>
            void addCallback(BeforeModelCallEvent, () => {
              failures -= 1;
              if (failures === 0) throw new Error('hook broke');
            }),
        },
      ],
    });

    await expect(made.invoke('go')).rejects.toThrow('hook broke');
    expect(`${await made.invoke('again')}`).toBe('Ok.');
  });
});
