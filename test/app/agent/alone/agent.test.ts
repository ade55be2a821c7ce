import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Agent } from '../../../../app/agent/alone/agent.ts';
import type { AgentInput } from '../../../../app/agent/alone/input/input.ts';
import { createMemorySession } from '../../../../app/agent/alone/memory/session.ts';
import type { AgentOptions } from '../../../../app/agent/alone/options.ts';
import type { AgentItem } from '../../../../app/agent/alone/view.ts';
import type { ModelFunction } from '../../../../app/agent/ports.ts';
import {
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  ConcurrencyError,
  createAuditLog,
  deny,
  HumanInTheLoop,
  InitializedEvent,
  type Json,
} from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { call, deferred, says, scriptedModel, sha256, witness } from '../../../support/scripted-model.ts';

describe('an agent', () => {
  it('needs a model, and finds one by name through its resolveModel function (G-01)', async () => {
    // @ts-expect-error because a model is not optional.
    expect(() => new Agent({})).toThrow('An agent needs a model');
    expect(() => agent({ model: 'best' })).toThrow('"best" is none');
    const named = agent({ model: 'best', resolveModel: (name) => scriptedModel(`I am ${name}.`) });

    expect(`${await named.invoke('who?')}`).toBe('I am best.');
  });

  it('has a name, an id and nothing else by default (G-01)', async () => {
    const model = scriptedModel('Hello.');
    const plain = new Agent({ model });

    expect(plain).toMatchObject({ id: 'default', name: 'Countersign', description: undefined, toolNames: [] });
    expect([plain.systemPrompt, plain.messages, plain.appState.toJSON()]).toEqual([undefined, [], {}]);
    expect(`${await plain.invoke('hi')}`).toBe('Hello.');
    expect(model.requests).toEqual([{ system: undefined, messages: [says('hi')], tools: [] }]);
  });

  it('carries its name, its description and its system prompt as text (G-01)', async () => {
    const blocks = [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ] as const;
    const model = scriptedModel('Ok.');
    const made = agent({ model, id: 'ops', name: 'Ops', description: 'Runs things.', systemPrompt: blocks });
    await made.invoke('hi');

    expect(made).toMatchObject({ id: 'ops', name: 'Ops', description: 'Runs things.' });
    expect(made.systemPrompt).toBe('Be brief.\nBe kind.');
    expect(model.requests[0]?.system).toBe('Be brief.\nBe kind.');
    expect(agent({ model, systemPrompt: [] }).systemPrompt).toBeUndefined();
  });

  it('goes on from messages it is given, and fires no event about them (G-01)', async () => {
    const model = scriptedModel('Again.');
    const items: string[] = [];
    const before = [says('hi'), { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }] as const;
    const made = agent({ model, messages: before, callbackHandler: ({ type }) => void items.push(type) });
    await made.invoke('and?');

    expect(model.requests[0]?.messages).toEqual([...before, says('and?')]);
    expect(items.filter((type) => type === 'messageAdded')).toHaveLength(2);
  });

  it('has the tools it is given, nested or fetched or from a folder, and never two of one name (G-01)', async () => {
    let released = 0;
    const provider = {
      loadTools: async () => [witness('fetched')],
      cleanup: () => {
        released += 1;
      },
    };
    const loadToolsFromDirectory = async () => [witness('loaded')];
    const model = scriptedModel('Ok.');
    const made = agent({ model, tools: [witness('a'), [[witness('b')], provider]], loadToolsFromDirectory });

    expect(made.toolNames).toEqual(['a', 'b']);
    await made.invoke('hi');
    expect(made.toolNames).toEqual(['a', 'b', 'fetched', 'loaded']);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['a', 'b', 'fetched', 'loaded']);
    await Promise.all([made.cleanup(), made.cleanup()]);
    expect(released).toBe(1);
    expect(() => agent({ model, tools: [witness('a'), [witness('a')]] })).toThrow('Two tools are called "a"');
    // @ts-expect-error because loading code of others is more than a flag.
    expect(() => agent({ model, loadToolsFromDirectory: true })).toThrow('runs code of others');
  });

  it('tries again to fetch tools that could not be fetched (G-01)', async () => {
    let tries = 0;
    const provider = {
      loadTools: async () => {
        tries += 1;
        if (tries === 1) throw new Error('server away');
        return [witness('fetched')];
      },
    };
    const made = agent({ model: scriptedModel('Ok.'), tools: [provider] });

    await expect(made.invoke('hi')).rejects.toThrow('server away');
    expect(`${await made.invoke('hi')}`).toBe('Ok.');
  });

  it('is silent by default, and a callback that fails changes nothing (G-01)', async () => {
    const warnings: string[] = [];
    const seen: AgentItem['type'][] = [];
    const made = agent({
      model: scriptedModel('Hello.'),
      warn: ({ message }) => void warnings.push(message),
      callbackHandler: ({ type }) => {
        seen.push(type);
        if (type === 'text') throw new Error('no terminal');
      },
    });

    expect(`${await made.invoke('hi')}`).toBe('Hello.');
    expect(seen).toContain('text');
    expect(warnings).toEqual(['The callback handler failed on text and was ignored: Error: no terminal']);
  });

  it('keeps 40 messages by default, and all of them when told so (G-01)', async () => {
    const talk = (options: Partial<AgentOptions>) => {
      const messages = Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? says('q') : ({ role: 'assistant', content: [{ type: 'text', text: 'a' }] } as const),
      );
      return agent({ model: scriptedModel('Ok.'), messages, ...options });
    };
    const [short, long] = [talk({}), talk({ conversationManager: null })];
    await Promise.all([short.invoke('hi'), long.invoke('hi')]);

    expect([short.messages.length, long.messages.length]).toEqual([40, 52]);
    const model: ModelFunction & { keepsHistory: true } = Object.assign(scriptedModel(), {
      keepsHistory: true,
    } as const);
    expect(() =>
      agent({ model, conversationManager: { manage: async (all) => all, reduce: async (all) => all } }),
    ).toThrow('keeps the conversation itself');
    expect(() => agent({ model })).not.toThrow();
  });

  it('has hooks, interventions and an executor, and refuses two handlers of one name (G-01)', async () => {
    const order: string[] = [];
    const slow = witness('slow', async () => {
      order.push('slow begins');
      await new Promise(setImmediate);
      order.push('slow ends');
      return 'ok';
    });
    const fast = witness('fast', () => {
      order.push('fast');
      return 'ok';
    });
    const run = async (toolExecutor?: 'sequential') => {
      order.length = 0;
      const model = scriptedModel([call('slow'), call('fast')], 'Done.');
      await agent({ model, tools: [slow, fast], ...(toolExecutor === undefined ? {} : { toolExecutor }) }).invoke('go');
      return order.join(', ');
    };

    expect(await run()).toBe('slow begins, fast, slow ends');
    expect(await run('sequential')).toBe('slow begins, slow ends, fast');
    const twice = [new HumanInTheLoop(), new HumanInTheLoop()];
    expect(() => agent({ model: scriptedModel(), interventions: twice })).toThrow(
      'Duplicate intervention handler name',
    );
  });

  it('calls hooks from the first moment, and tells observers of the agent once (G-01)', async () => {
    const seen: string[] = [];
    const observer = {
      name: 'observer',
      observeAgent: ({ id }: { readonly id: string }) => void seen.push(`met ${id}`),
    };
    const made = agent({
      model: scriptedModel('One.', 'Two.'),
      interventions: [observer],
      hooks: [
        { registerHooks: ({ addCallback }) => void addCallback(InitializedEvent, () => void seen.push('ready')) },
      ],
    });
    made.addHook({
      registerHooks: ({ addCallback }) =>
        void addCallback(BeforeModelCallEvent, ({ turn }) => void seen.push(`${turn}`)),
    });
    await made.invoke('a');
    await made.invoke('b');

    expect(seen).toEqual(['met default', 'ready', '0', '1']);
  });

  it.each(['a/b', 'a\\b', '..', 'a..b', '', 'a\nb'])('refuses the id %j (G-02)', (id) => {
    expect(() => agent({ model: scriptedModel(), id })).toThrow('could lead to another place in a store');
  });

  it.each<[string, AgentInput, readonly string[]]>([
    ['text', 'hi', ['user: old', 'user: hi']],
    [
      'content blocks, as one message',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      ['user: old', 'user: a b'],
    ],
    [
      'messages',
      [says('a'), { role: 'assistant', content: [{ type: 'text', text: 'b' }] }, says('c')],
      ['user: old', 'user: a', 'assistant: b', 'user: c'],
    ],
    ['nothing', undefined, ['user: old']],
    ['null', null, ['user: old']],
  ])('takes %s (G-03)', async (_form, input, lines) => {
    const made = agent({ model: scriptedModel('Ok.'), messages: [says('old')] });
    const { stopReason } = await made.invoke(input);

    expect(stopReason).toBe('endTurn');
    expect(linesOf(made.messages)).toEqual([...lines, 'assistant: Ok.']);
  });

  it('takes answers, and nothing beside them (G-03)', async () => {
    const deploy = witness('deploy');
    const made = agent({
      model: scriptedModel([call('deploy')], 'Done.'),
      tools: [deploy],
      interventions: [new HumanInTheLoop()],
    });
    const { interrupts } = await made.invoke('go');
    const answers = interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: true } }));
    const mixed: readonly unknown[] = [...answers, { type: 'text', text: 'and hurry' }];

    // The mixture is no input at all, which is what is shown.
    await expect(made.invoke(mixed as AgentInput)).rejects.toThrow(TypeError);
    await expect(made.invoke('hurry')).rejects.toThrow('waits for answers');
    await expect(made.invoke()).rejects.toThrow(TypeError);
    expect(deploy.runs).toEqual([]);
    expect(`${await made.invoke(answers)}`).toBe('Done.');
    expect(deploy.runs).toHaveLength(1);
    expect(await made.invoke(answers)).toMatchObject({ unchanged: true, stopReason: 'endTurn' });
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['an object', { text: 'hi' }],
    ['an empty text', '  '],
    ['an empty list', []],
    ['a list of texts', ['hi']],
    ['an unknown block', [{ type: 'video' }]],
    ['an unknown role', [{ role: 'system', content: [] }]],
    ['a mixture', [{ type: 'text', text: 'hi' }, says('hi')]],
  ])('refuses %s (G-03)', async (_what, input) => {
    const made = agent({ model: scriptedModel(), messages: [says('old')] });

    // It is not of the type, which is what is shown.
    await expect(made.invoke(input as AgentInput)).rejects.toThrow(TypeError);
    expect(linesOf(made.messages)).toEqual(['user: old']);
  });

  it('asks for words when nothing was ever said (G-03)', async () => {
    await expect(agent({ model: scriptedModel() }).invoke()).rejects.toThrow('neither an input nor a conversation');
  });

  it('answers a pending tool request itself before it takes new words (G-03)', async () => {
    const model = scriptedModel('Ok.');
    const look = witness('look');
    const made = agent({
      model,
      tools: [look],
      messages: [says('go'), { role: 'assistant', content: [call('look')] }],
    });
    await made.invoke('never mind');

    expect(look.runs).toEqual([]);
    expect(linesOf(made.messages)).toEqual([
      'user: go',
      'assistant: [look look-1]',
      'user: [look-1 error]',
      'user: never mind',
      'assistant: Ok.',
    ]);
  });

  it('refuses a second invocation before it touches anything, and is free again afterwards (G-04)', async () => {
    const answer = deferred<string>();
    const slow = witness('slow', () => answer.promise);
    const made = agent({ model: scriptedModel([call('slow')], 'Done.', 'More.'), tools: [slow] });
    const first = made.invoke('go');
    await new Promise(setImmediate);
    const before = JSON.stringify(made.snapshot());

    await expect(made.invoke('me too')).rejects.toThrow(ConcurrencyError);
    await expect(made.stream('me too').next()).rejects.toThrow(ConcurrencyError);
    await expect(made.structuredOutput(z.object({}), 'me too')).rejects.toThrow(ConcurrencyError);
    await expect(made.dismiss('me too')).rejects.toThrow(ConcurrencyError);
    expect(JSON.stringify(made.snapshot())).toBe(before);
    answer.resolve('ok');
    expect(`${await first}`).toBe('Done.');
    expect(`${await made.invoke('again')}`).toBe('More.');
  });

  it('is free again after a failure (G-04)', async () => {
    const made = agent({ model: scriptedModel(new Error('boom'), 'Fine.'), retryStrategy: null });

    await expect(made.invoke('go')).rejects.toThrow('boom');
    expect(`${await made.invoke('go')}`).toBe('Fine.');
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a map', new Map()],
    ['a value deep inside', { list: [{ at: 1n }] }],
    ['a list with a gap', Object.assign([1], { length: 2 })],
    ['a list with a name beside its items', Object.assign([1], { name: 'list' })],
    ['a key that is a symbol', { [Symbol('key')]: 1 }],
    [
      'a value that is worked out when it is read',
      {
        get now() {
          throw new Error('Not now.');
        },
      },
    ],
    ['itself', circle()],
    ['what is nested too deeply to be written', nested(10_000)],
  ])('keeps nothing that JSON cannot hold: %s (G-07)', (_what, value) => {
    const { appState } = agent({ model: scriptedModel() });

    // It is not of the type, which is what is shown.
    expect(() => appState.set('key', value as Json)).toThrow(TypeError);
    expect(appState.get('key')).toBeUndefined();
  });

  it('copies state that goes in and comes out, and needs a key for each value (G-07)', () => {
    const { appState } = agent({ model: scriptedModel(), appState: { list: [1] } });
    const value = { deep: ['a'] };
    appState.set('key', value);
    value.deep.push('b');

    expect(appState.get('key')).toEqual({ deep: ['a'] });
    expect(appState.get('unknown')).toBeUndefined();
    expect(() => appState.set('', 1)).toThrow(TypeError);
    appState.delete('unknown');
    appState.delete('key');
    expect(appState.toJSON()).toEqual({ list: [1] });
  });

  it('hands one mutable object to every hook and tool of an invocation, and returns it without storing it (AG-7)', async () => {
    const invocationState = { count: 0 };
    const count = (event: BeforeToolCallEvent) => {
      event.invocationState.count = 1;
    };
    const made = agent({
      model: scriptedModel([call('look')], 'Done.'),
      tools: [witness('look')],
      sessionManager: createMemorySession(),
      hooks: [{ registerHooks: ({ addCallback }) => void addCallback(BeforeToolCallEvent, count) }],
    });
    const result = await made.invoke('go', { invocationState });

    expect(result.invocationState).toBe(invocationState);
    expect(invocationState.count).toBe(1);
    expect(JSON.stringify(result)).not.toContain('count');
  });

  it('keeps records of decisions, those about direct calls included (BEY-19)', async () => {
    const audit = createAuditLog({ hash: sha256 });
    const made = agent({
      model: scriptedModel([call('look')], 'Done.'),
      tools: [witness('look')],
      interventions: [{ name: 'lock', beforeToolCall: () => deny('locked') }],
      audit: audit.sink,
    });
    await made.invoke('go');
    await made.tool.look?.();

    expect(audit.records().filter(({ handler, action }) => handler === 'lock' && action === 'deny')).toHaveLength(2);
  });

  it('says which intervention ended an invocation', async () => {
    const closed = { name: 'opening-hours', beforeInvocation: () => deny('closed') };
    const result = await agent({ model: scriptedModel(), interventions: [closed] }).invoke('go');

    expect(result).toMatchObject({
      stopReason: 'endTurn',
      endedBy: { handler: 'opening-hours', text: 'DENIED: closed' },
    });
    expect(`${result}`).toBe('DENIED: closed');
  });
});

function circle(): unknown {
  const round: unknown[] = [];
  round.push(round, round);
  return round;
}

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
