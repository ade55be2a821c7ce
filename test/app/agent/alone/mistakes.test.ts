import { describe, expect, it } from 'vitest';
import { type AgentOptions, createFileSession } from '../../../../app/agent/alone/index.ts';
import {
  AfterToolCallEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  ConfigurationError,
  canonical,
  confirm,
  createAuditLog,
  deny,
  HOOK_ORDER,
  HumanInTheLoop,
  type Json,
  type LoopEvent,
  ModelSteeringHandler,
  proceed,
  SteeringHandler,
  type SteeringOptions,
  toolLedger,
  transform,
  verifyAudit,
} from '../../../../interventions/index.ts';
import { callbacks } from '../../../support/agent.ts';
import { calling, odd } from '../../../support/calling.ts';
import { call, resultsOf, scriptedModel, sha256, witness } from '../../../support/scripted-model.ts';

describe('an agent is not made', () => {
  const judges = { name: 'h', beforeToolCall: () => deny('no') };
  it.each<[string, object, string]>([
    ['a model that comes later', { model: 'm', resolveModel: async () => scriptedModel() }, 'and no promise'],
    ['handlers that are no list', { interventions: judges }, 'Give a list, or leave it out'],
    ['a handler that is nothing', { interventions: [null] }, 'has no name'],
    [
      'an action in place of a method',
      { interventions: [{ name: 'h', beforeToolCall: deny('no') }] },
      'is no function',
    ],
    ['a gate that is no yes or no', { interventions: [{ ...judges, gate: 'no' }] }, 'Use true or false'],
    ['a text for confirmEverywhere', { interventions: [{ ...judges, confirmEverywhere: 'yes' }] }, 'Use true or false'],
    ['tools that are no list', { tools: witness('t') }, 'Give a list'],
    ['a tool that is nothing', { tools: [null] }, 'is no tool'],
    ['a tool that is a function', { tools: [() => 'done'] }, 'is no tool'],
    ['a tool that cannot run', { tools: [{ ...witness('t'), run: undefined }] }, 'is no tool'],
    ['a log in place of its sink', { audit: createAuditLog({ hash: sha256 }) }, 'Give a function'],
    ['a profile that does not exist', { profile: 'Strict' }, 'Give one of strict, reference'],
    ['a misspelt way to wait', { whileWaiting: 'Queue' }, 'Give one of reject, dismissAndContinue, queue'],
    ['an executor that does not exist', { toolExecutor: 'parallel' }, 'Give one of concurrent, sequential'],
    ['a changed call that would run', { whenChanged: 'run' }, 'Give one of askAgain, deny'],
    ['a misspelt limit', { limits: { turn: 3 } }, 'limits has no option turn'],
    ['a limit that is no number', { limits: { retries: Number.NaN } }, 'Give a number'],
    ['a misspelt retry', { retryStrategy: { tries: 3 } }, 'retryStrategy has no option tries'],
    ['a session without methods', { sessionManager: {} }, 'lacks the method load'],
    ['a clock that is a function', { clock: Date.now }, 'lacks the method now'],
    ['a hook that is a function', { hooks: [() => {}] }, 'lacks the method registerHooks'],
    ['a hash that is the same for all', { hash: () => 'x' }, 'different texts for different texts'],
    ['an async hash', { hash: async (text: string) => sha256(text) }, 'and no promise'],
    ['an async hook', { hooks: [{ registerHooks: async () => {} }] }, 'could come too late'],
  ])('with %s (BEY-40, BEY-41)', (_what, options, message) => {
    const { made } = calling(options as Partial<AgentOptions>);

    expect(made).toThrow(ConfigurationError);
    expect(made).toThrow(message);
  });

  it.each<[string, object, string]>([
    ['a question to the terminal by another name', { ask: 'terminal' }, "Give a function, 'stdio'"],
    ['rules that are no function', { ruleFor: { t: { effect: 'guarded' } } }, 'Give a function'],
    ['one answer in place of a list', { answers: 'yes' }, 'Give a list'],
    ['a misspelt reaction', { reactions: { approve: { type: 'stop' } } }, 'has no option approve'],
    ['a misspelt input of trust', { enableTrust: { input: 'Exact' } }, 'Give one of any, exact'],
    ['a misspelt classifier', { classifier: { prompt: 'careful' } }, 'classifier has no option prompt'],
    ['a judgement that is a text', { evaluate: 'yes' }, 'Give a function'],
  ])('whose gate has %s (BEY-40, BEY-41)', (_what, options, message) => {
    expect(() => new HumanInTheLoop(options)).toThrow(ConfigurationError);
    expect(() => new HumanInTheLoop(options)).toThrow(message);
  });
});

describe('an invocation is refused', () => {
  it.each<[string, object, string]>([
    ['a signal by another name', { signal: AbortSignal.abort() }, 'invoke() has no option signal'],
    ['a controller in place of its signal', { cancelSignal: new AbortController() }, 'Give the signal'],
    ['a misspelt limit', { limits: { maxTurns: 1 } }, 'limits has no option maxTurns'],
    ['a requester that is a text', { invocationState: 'ann' }, 'Give an object'],
    ['a plain JSON schema', { structuredOutputSchema: { type: 'object' } }, 'lacks the method safeParse'],
  ])('that is given %s (BEY-40)', async (_what, options, message) => {
    const { made, tool } = calling({});

    await expect(made().invoke('go', options)).rejects.toThrow(message);
    expect(tool.runs).toEqual([]);
  });

  it('of a tool called directly that is given a text for unguarded (BEY-25, BEY-40)', async () => {
    const { made, tool } = calling({ interventions: [new HumanInTheLoop()] });
    const unguarded: object = { unguarded: 'false' };

    await expect(made().tool.t?.({}, unguarded)).rejects.toThrow('Give true or false');
    expect(tool.runs).toEqual([]);
  });
});

describe('a handler that is changed after an invocation', () => {
  it.each([
    ['beforeToolCall', deny('no'), 'beforeToolCall of h is no function'],
    ['gate', 'no', 'Use true or false'],
    ['onError', 'ignore', 'Use throw, deny or proceed'],
    ['onAnswerError', 'ignore', 'onAnswerError of h is ignore. Use throw, deny or proceed'],
    ['name', '', 'has no name'],
  ])('is checked again: %s (BEY-14, BEY-40)', async (member, value, message) => {
    const handler = { name: 'h', beforeToolCall: () => proceed() };
    const { made, tool } = calling({
      interventions: [handler],
      model: scriptedModel([call('t')], 'One.', [call('t')], 'Two.'),
    });
    const changing = made();
    await changing.invoke('go');
    Object.assign(handler, { [member]: value });

    await expect(changing.invoke('go')).rejects.toThrow(message);
    expect(tool.runs).toHaveLength(1);
  });
});

describe('a call does not run', () => {
  const rule = { effect: 'asked', approverGroups: ['ops'], selfApproval: true } as const;
  const yes = { decision: 'approve', approver: 'ben' };
  it.each<[string, object]>([
    ['groups that are a text with the group in it', { ruleFor: () => rule, groupsOf: () => 'devops', ask: () => yes }],
    ['groups that come later', { ruleFor: () => rule, groupsOf: async () => ['ops'], ask: () => yes }],
    [
      'a quorum that is no number',
      { ruleFor: () => ({ ...rule, quorum: Number.NaN }), groupsOf: () => ['ops'], ask: () => yes },
    ],
    ['a misspelt member', { ruleFor: () => ({ effect: 'asked', approver: ['ben'] }), ask: () => yes }],
    ['a judgement that comes later', { evaluate: async () => true, ask: () => 'sure' }],
  ])('whose gate has %s, and the failure says what to return (BEY-14, BEY-20)', async (_what, options) => {
    const { invoke, tool } = calling({ interventions: [new HumanInTheLoop(options)] });

    await expect(invoke()).rejects.toThrow(/Return a list|whole number|has no option approver|Return true or false/);
    expect(tool.runs).toEqual([]);
  });

  it('whose handler answers a confirm that could not be carried out (BEY-14)', async () => {
    for (const more of [{ answers: 'yes' }, { ask: 'stdio' }, { reactions: { approved: 'stop' } }, { question: 1n }]) {
      const odd: object = { type: 'confirm', prompt: 'Run it?', response: true, ...more };
      const { invoke, tool } = calling({ interventions: [{ name: 'h', beforeToolCall: () => odd }] });

      await expect(invoke()).rejects.toThrow('h failed on beforeToolCall');
      expect(tool.runs).toEqual([]);
    }
  });
});

it('a misspelt member of an event is refused, because the call would run as if it were not set (HK-8)', async () => {
  const hook = callbacks();
  hook.addCallback(BeforeToolCallEvent, (event) => void Reflect.set(event, 'cancel', 'no'));
  hook.addCallback(BeforeToolCallEvent, (event) => void Object.assign(event, { cancelled: 'no' }));
  const { invoke, tool } = calling({ hooks: [hook] });

  await expect(invoke()).rejects.toThrow('cancelled');
  expect(tool.runs).toEqual([]);
});

it.each<[string, object, string]>([
  ['no call', { toolUse: null }, 'toolUse of a tool call was set to no call'],
  ['no tool', { selectedTool: 'other' }, 'selectedTool of a tool call was set to no tool'],
])(
  'a callback that sets %s before a call is refused, and the call does not run (BEY-40)',
  async (_what, change, message) => {
    const hook = callbacks();
    hook.addCallback(BeforeToolCallEvent, (event) => void Object.assign(event, change));
    const { invoke, tool } = calling({ hooks: [hook] });

    await expect(invoke()).rejects.toThrow(message);
    expect(tool.runs).toEqual([]);
  },
);

it('a result that is none is refused, and what the tool gave is kept (BEY-40)', async () => {
  const hook = callbacks();
  hook.addCallback(AfterToolCallEvent, (event) => void Object.assign(event, { result: 'all well' }));
  const { invoke, tool } = calling({ hooks: [hook] });

  await expect(invoke()).rejects.toThrow('Set it to { type: "toolResult"');
  expect(tool.runs).toHaveLength(1);
});

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'Done.'],
  ['a call without an id', { message: { role: 'assistant', content: [{ type: 'toolUse', name: 't', input: {} }] } }],
  ['a block of another library', { message: { role: 'assistant', content: [{ type: 'tool_use', id: '1' }] } }],
  ['no usage', { message: { role: 'assistant', content: [] }, stopReason: 'endTurn' }],
  [
    'no number of tokens',
    {
      message: { role: 'assistant', content: [] },
      stopReason: 'endTurn',
      usage: { inputTokens: Number.NaN, outputTokens: 1 },
    },
  ],
])(
  'a model function that returns %s is refused with the shape that is needed, and no call runs (BEY-40)',
  async (_what, answer) => {
    const { invoke, tool } = calling({ model: async () => answer, retryStrategy: null });

    await expect(invoke()).rejects.toThrow(
      /Return \{ message: \{ role: "assistant", content \}, stopReason, usage \}.*\{ inputTokens, outputTokens, cache/,
    );
    expect(tool.runs).toEqual([]);
  },
);

it('a model function may leave out what a cache did, which then counts as nothing (BEY-40)', async () => {
  const message = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
  const usage = { inputTokens: 3, outputTokens: 1 };
  const { invoke } = calling({ model: async () => ({ message, stopReason: 'endTurn', usage }) });

  expect((await invoke()).usage).toEqual({ ...usage, cacheReadTokens: 0, cacheWriteTokens: 0 });
});

it.each<[string, unknown]>([
  ['a promise', Promise.resolve({ ok: true, input: {} })],
  ['the input itself', {}],
  ['no input', { ok: true }],
])(
  'a tool whose parse returns %s does not run, and the failure says what to return (BEY-40)',
  async (_what, parsed) => {
    const tool = witness('t');
    const { invoke } = calling({ tools: [{ ...tool, parse: () => parsed }] });

    await expect(invoke()).rejects.toThrow('Return { ok: true, input } or { ok: false, problem }');
    expect(tool.runs).toEqual([]);
  },
);

describe('a tool whose parse throws does not run', () => {
  const throwsFor = (bad: (input: Json) => boolean) => {
    const tool = witness('t');
    const parse = (input: Json) => {
      if (bad(input)) throw new Error('no such place');
      return { ok: true as const, input };
    };
    return { ...tool, parse };
  };
  const isMarked = (input: Json) => canonical(input) === canonical({ bad: 1 });

  it('on the call of the model, which is told and goes on (AG-12)', async () => {
    const tool = throwsFor(() => true);
    const { made } = calling({ tools: [tool] });
    const asking = made();

    expect((await asking.invoke('go')).stopReason).toBe('endTurn');
    expect(resultsOf(asking.messages)).toEqual([
      't-1: error The input does not fit t: its check failed (no such place).',
    ]);
    expect(tool.runs).toEqual([]);
  });

  it('on the input that a handler changed, and the model is told (AG-12)', async () => {
    const tool = throwsFor(isMarked);
    const change = transform((event: BeforeToolCallEvent) => {
      event.toolUse.input = { bad: 1 };
    });
    const { made } = calling({ tools: [tool], interventions: [{ name: 'h', beforeToolCall: () => change }] });
    const asking = made();
    await asking.invoke('go');

    expect(resultsOf(asking.messages)[0]).toContain('no such place');
    expect(tool.runs).toEqual([]);
  });

  it('on the input that a person edited, and the person is asked again (AG-12, BEY-38)', async () => {
    const tool = throwsFor(isMarked);
    const problems: unknown[] = [];
    const ask = (_prompt: string, { problem }: { readonly problem?: string }) => {
      problems.push(problem);
      return problem === undefined ? { decision: 'approve', editedInput: { bad: 1 } } : false;
    };
    await calling({ tools: [tool], interventions: [new HumanInTheLoop({ ask })] }).invoke();

    expect(problems).toEqual([undefined, expect.stringContaining('no such place')]);
    expect(tool.runs).toEqual([]);
  });
});

it.each<[string, () => unknown, string]>([
  ['a steering handler', () => new SteeringHandler(odd({ nmae: 'x' })), 'SteeringHandler has no option nmae'],
  [
    'a steering handler with a function',
    () => new SteeringHandler(odd({ contextProviders: [() => []] })),
    'callbacks()',
  ],
  ['a model that steers', () => new ModelSteeringHandler(odd({ systemprompt: 'x' })), 'has no option systemprompt'],
  ['a model that steers without a prompt', () => new ModelSteeringHandler(odd({})), 'needs a systemPrompt'],
  ['a ledger', () => toolLedger(odd({ maxEntry: 1 })), 'toolLedger has no option maxEntry'],
  ['a session in files', () => createFileSession(odd({ dir: '/tmp', sessionId: 's' })), 'has no option dir'],
  ['a session in no folder', () => createFileSession(odd({ sessionId: 's' })), 'needs the directory'],
  ['a log', () => createAuditLog(odd({ hash: sha256, maxRecord: 1 })), 'createAuditLog has no option maxRecord'],
  ['a log without a hash', () => createAuditLog(odd({})), 'needs a function hash'],
  ['a deny', () => deny('no', odd({ type: 'proceed' })), 'deny() has no option type'],
  ['a confirm', () => confirm('Run it?', odd({ timeout: 5 })), 'confirm() has no option timeout'],
  ['a confirm with one answer', () => confirm('Run it?', odd({ answers: 'yes' })), 'Give a list'],
  ['a proceed with a text', () => proceed(odd('because')), 'proceed() takes an object'],
])('%s refuses an option that it does not know or cannot use (BEY-40, BEY-41)', (_what, made, message) => {
  expect(made).toThrow(message);
});

it('a subclass of a steering handler may hand on options of its own, and only the shared ones are checked (BEY-40)', () => {
  class Own extends SteeringHandler {
    constructor(options: SteeringOptions & { readonly tone: string }) {
      super(options);
    }
  }

  expect(new Own({ name: 'own', tone: 'kind' }).name).toBe('own');
  expect(() => new Own(odd({ tone: 'kind', contextProviders: 'none' }))).toThrow('Give a list');
  class OwnModel extends ModelSteeringHandler {}
  expect(new OwnModel(odd({ systemPrompt: 'Be kind.', tone: 'kind' })).name).toBe('countersign:model-steering');
});

describe('a check of records', () => {
  const log = createAuditLog({ hash: sha256 });
  log.sink({ atMs: 1, agent: 'a', turn: 1, kind: 'decision' });
  log.sink({ atMs: 2, agent: 'a', turn: 1, kind: 'end' });

  it.each([null, undefined, 5, {}, []])('finds %j in place of a record, at its number (BEY-19, U-03)', (other) => {
    const read = (...records: readonly unknown[]) => verifyAudit(odd(records), sha256);

    expect(read(other)).toEqual({ type: 'broken', number: 1, because: 'changed' });
    expect(read(log.records()[0], other)).toEqual({ type: 'broken', number: 2, because: 'changed' });
  });

  it.each([null, {}, log, '[]'])('refuses what is no list of records: %j (BEY-19, BEY-40)', (records) => {
    expect(() => verifyAudit(odd(records), sha256)).toThrow('takes a list of records');
    expect(() =>
      verifyAudit(
        [],
        odd(async () => 'x'),
      ),
    ).toThrow('needs a function hash');
  });
});

it('a callback for a class that does not exist is refused, because it would never be called (BEY-40)', () => {
  const { hooks } = calling({}).made();
  const misspelt = (type: unknown, callback: unknown) => () =>
    Reflect.apply(hooks.addCallback, hooks, [type, callback]);

  expect(misspelt(undefined, () => {})).toThrow('no class of event');
  expect(misspelt('beforeToolCall', () => {})).toThrow('no class of event');
  expect(misspelt(BeforeToolCallEvent, undefined)).toThrow('no callback');
});

describe('cancel of an event before something', () => {
  const befores = { BeforeInvocationEvent, BeforeModelCallEvent, BeforeToolsEvent, BeforeToolCallEvent };
  const setting = (name: keyof typeof befores, cancel: unknown, order = 0) => {
    const hook = callbacks();
    hook.addCallback<LoopEvent>(befores[name], (event) => void Object.assign(event, { cancel }), { order });
    return hook;
  };

  it.each(Object.keys(befores) as (keyof typeof befores)[])(
    'that is set to undefined lets %s go on, and null is refused (INT-14, BEY-40)',
    async (name) => {
      const { invoke, tool } = calling({ hooks: [setting(name, undefined)] });
      await invoke();
      expect(tool.runs).toHaveLength(1);

      const odd = calling({ hooks: [setting(name, null)] });
      await expect(odd.invoke()).rejects.toThrow('was set to null. Set it to true, a text or false');
      expect(odd.tool.runs).toEqual([]);
    },
  );

  it('that is set to undefined behind the handlers lets no denied call go on (BEY-37)', async () => {
    const judges = { name: 'h', beforeToolCall: () => deny('no') };
    const late = setting('BeforeToolCallEvent', undefined, HOOK_ORDER.last);
    const { invoke, tool } = calling({ interventions: [judges], hooks: [late] });

    await expect(invoke()).rejects.toThrow('cancel of a sealed tool call was changed');
    expect(tool.runs).toEqual([]);
  });
});
