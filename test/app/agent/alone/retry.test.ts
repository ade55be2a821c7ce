import { describe, expect, it } from 'vitest';
import { summarising } from '../../../../app/agent/alone/memory/summarising.ts';
import type { AgentOptions } from '../../../../app/agent/alone/options.ts';
import type { AgentItem } from '../../../../app/agent/alone/view.ts';
import { slidingWindow } from '../../../../app/agent/memory/sliding-window.ts';
import { ModelError } from '../../../../app/agent/model/error.ts';
import type { ModelFunction } from '../../../../app/agent/ports.ts';
import { AfterModelCallEvent, type Message } from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { call, handTimers, type Line, says, scriptedModel, witness } from '../../../support/scripted-model.ts';

const throttled = () => new ModelError('throttled');
const settled = () => new Promise(setImmediate);

/** Runs an agent in a world where nothing happens until a second passes, and notes at which seconds the model is asked. */
async function secondsOf(options: Partial<AgentOptions> & Pick<AgentOptions, 'model'>) {
  const timers = handTimers();
  const asked: number[] = [];
  let second = 0;
  const { model } = options;
  const noted: ModelFunction = (request, context) => {
    asked.push(second);
    if (typeof model === 'string') throw new Error('No name here.');
    return model(request, context);
  };
  let end: string | undefined;
  const running = agent({ timers, ...options, model: noted }).invoke('hi');
  running.then(
    (result) => {
      end = `${result}`;
    },
    (error: unknown) => {
      end = String(error);
    },
  );
  for (await settled(); end === undefined && second < 1_000; ) {
    second += 1;
    timers.pass(1_000);
    await settled();
  }
  return { asked, end };
}

describe('retrying', () => {
  it('waits 4, 8, 16, 32 and 64 seconds, and then takes the answer (G-05)', async () => {
    const model = scriptedModel(throttled(), throttled(), throttled(), throttled(), throttled(), 'At last.');
    const { asked, end } = await secondsOf({ model, retryStrategy: { jitter: 'none' } });
    const waits = asked.slice(1).map((second, index) => second - (asked[index] ?? 0));

    expect(waits).toEqual([4, 8, 16, 32, 64]);
    expect(end).toBe('At last.');
  });

  it('passes the sixth failure to the caller (G-05)', async () => {
    const model = scriptedModel(...Array.from({ length: 6 }, throttled), 'Never.');
    const { asked, end } = await secondsOf({ model, retryStrategy: { jitter: 'none' } });

    expect(asked).toHaveLength(6);
    expect(end).toContain('The model takes no more questions');
  });

  it('is on by default, and off with null or for a permanent failure (G-05)', async () => {
    const twice = () => scriptedModel(throttled(), 'Ok.');

    expect(await secondsOf({ model: twice() })).toMatchObject({ end: 'Ok.' });
    expect((await secondsOf({ model: twice(), retryStrategy: null })).asked).toHaveLength(1);
    expect((await secondsOf({ model: scriptedModel(new ModelError('auth')) })).asked).toHaveLength(1);
  });

  it('stops waiting when it is cancelled (G-05)', async () => {
    const model = scriptedModel(throttled(), 'Never.');
    const made = agent({ model });
    const running = made.invoke('hi');
    await settled();
    made.cancel();

    expect((await running).stopReason).toBe('cancelled');
    expect(model.requests).toHaveLength(1);
  });

  it('takes back the text of a failed try, and counts all tries as one model call (G-05)', async () => {
    const items: AgentItem['type'][] = [];
    let calls = 0;
    const timers = handTimers();
    const model: ModelFunction = async (request, context) => {
      calls += 1;
      context.onText('I think');
      if (calls === 1) throw throttled();
      return scriptedModel('I know.')(request, context);
    };
    const made = agent({
      model,
      timers,
      callbackHandler: ({ type }) => void items.push(type),
      hooks: [
        {
          registerHooks: ({ addCallback }) =>
            void addCallback(AfterModelCallEvent, ({ attempt }) => expect(attempt).toBe(1)),
        },
      ],
    });
    const running = made.invoke('hi');
    await settled();
    timers.pass(4_000);
    await running;

    expect(items.filter((type) => /text|discarded|afterModelCall/i.test(type))).toEqual([
      'text',
      'responseDiscarded',
      'text',
      'text',
      'afterModelCall',
    ]);
  });
});

describe('a model whose input is too long', () => {
  /** Takes at most so many characters of conversation. */
  const narrow = (limit: number, ...lines: readonly Line[]) => {
    const script = scriptedModel(...lines);
    const refused: number[] = [];
    const model: ModelFunction = async (request, context) => {
      const length = JSON.stringify(request.messages).length;
      if (length <= limit) return script(request, context);
      refused.push(length);
      throw new ModelError('overflow');
    };
    return Object.assign(model, { requests: script.requests, refused });
  };
  const big = witness('look', () => 'x'.repeat(5_000));

  it('gets shorter results, goes on, and leaves the conversation shorter (AG-28)', async () => {
    const model = narrow(4_000, [call('look')], [call('look', {}, 'look-2')], 'Seen.');
    const made = agent({ model, tools: [big] });

    expect(`${await made.invoke('go')}`).toBe('Seen.');
    expect(model.refused).toHaveLength(2);
    expect(JSON.stringify(made.messages)).toContain('4600 characters left out to make room');
    expect(JSON.stringify(made.messages).length).toBeLessThan(4_000);
    expect(linesOf(made.messages)).toEqual([
      'user: go',
      'assistant: [look look-1]',
      'user: [look-1 success]',
      'assistant: [look look-2]',
      'user: [look-2 success]',
      'assistant: Seen.',
    ]);
  });

  it('loses its oldest messages when shorter results are not enough (AG-28)', async () => {
    const talk = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? says(`question ${index} ${'x'.repeat(300)}`)
        : ({ role: 'assistant', content: [{ type: 'text', text: 'answer' }] } as const),
    );
    const model = narrow(1_000, 'Ok.');
    const made = agent({ model, messages: talk });
    await made.invoke('and?');

    expect(linesOf(model.requests[0]?.messages ?? [])[0]).toMatch(/^user: question [68]/);
    expect(made.messages.length).toBeLessThan(7);
  });

  it('fails when nothing more can be left out (AG-28)', async () => {
    const made = agent({ model: narrow(10, 'Never.') });

    await expect(made.invoke('a single long question')).rejects.toThrow('too long for the model');
  });

  it('gets a shorter conversation before it fails, when the deployment asks for that (AG-29)', async () => {
    const messages = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? says('q') : ({ role: 'assistant', content: [{ type: 'text', text: 'a' }] } as const),
    );
    const requests = async (windowTokens?: number) => {
      const model = scriptedModel([call('look')], 'Ok.');
      const proactive = windowTokens === undefined ? {} : { proactive: { windowTokens } };
      await agent({ model, messages, tools: [witness('look')], conversationManager: slidingWindow(proactive) }).invoke(
        'go',
      );
      return model.requests.map((request) => request.messages.length);
    };

    expect(await requests()).toEqual([7, 9]);
    expect(await requests(15)).toEqual([7, 9]);
    expect(await requests(14)).toEqual([7, 7]);
  });

  it('keeps its answer when the conversation cannot be shortened afterwards', async () => {
    const warnings: string[] = [];
    const conversationManager = {
      manage: async () => {
        throw new Error('no summary today');
      },
      reduce: async (messages: readonly Message[]) => messages,
    };
    const made = agent({
      model: scriptedModel('Ok.'),
      conversationManager,
      warn: ({ message }) => void warnings.push(message),
    });

    expect(`${await made.invoke('hi')}`).toBe('Ok.');
    expect(warnings).toEqual([expect.stringContaining('no summary today')]);
  });

  it('goes on with a summary in place of the older messages', async () => {
    const messages = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0
        ? says('x'.repeat(300))
        : ({ role: 'assistant', content: [{ type: 'text', text: 'a' }] } as const),
    );
    const conversationManager = summarising({ summarise: async () => 'They said x.', keepNewest: 2 });
    const made = agent({ model: narrow(1_000, 'Ok.'), messages, conversationManager });
    await made.invoke('and?');

    expect(linesOf(made.messages)[0]).toBe('user: Summary of what was said before:\nThey said x.');
    expect(linesOf(made.messages).slice(-2)).toEqual(['user: and?', 'assistant: Ok.']);
  });
});
