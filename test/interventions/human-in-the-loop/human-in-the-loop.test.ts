import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type BeforeToolCallEvent,
  canonical,
  confirm,
  createAppState,
  type DecisionRule,
  type Handler,
  HumanInTheLoop,
  type HumanInTheLoopOptions,
  type Json,
  listTrust,
  revokeAllTrust,
  revokeTrust,
  type TrustTerms,
  transform,
} from '../../../interventions/index.ts';
import { createTerminalAsk } from '../../../interventions/terminal.ts';
import { agent as makeAgent, reply } from '../../support/agent.ts';
import { strictly } from '../../support/profile.ts';
import { call, deferred, handTimers, loop, resultsOf, scriptedModel, witness } from '../../support/scripted-model.ts';

/** One call of the tool `t`, past one gate. */
async function once(options: HumanInTheLoopOptions, input: Json = { a: 1 }) {
  const tool = witness('t');
  const outcome = await loop({
    model: scriptedModel([call('t', input)], 'Done.'),
    tools: [tool],
    interventions: [new HumanInTheLoop(options)],
  });
  return { runs: tool.runs, result: resultsOf(outcome.state.messages)[0] ?? '', outcome };
}

/** Two calls of `t` in two turns: how often was a person asked, how often did it run? */
async function twice(options: HumanInTheLoopOptions, second: Json = {}) {
  let asked = 0;
  const tool = witness('t');
  const { ask } = options;
  const counted = typeof ask === 'function' ? ask : () => true;
  await loop({
    model: scriptedModel([call('t')], [call('t', second, 't-2')], 'Done.'),
    tools: [tool],
    invocationState: { requester: 'ANN' },
    interventions: [
      new HumanInTheLoop({ ...options, ask: (...asking) => (++asked > 0 ? counted(...asking) : undefined) }),
    ],
  });
  return { asked, runs: tool.runs.length };
}

describe('human in the loop', () => {
  it('pauses by default, and the question holds name and input (H-01)', async () => {
    const { outcome, runs } = await once({});

    expect(outcome).toMatchObject({ type: 'interrupted', interrupts: [{ reason: { tool: 't', input: { a: 1 } } }] });
    expect(runs).toEqual([]);
  });

  it('asks no person about a tool that does not exist', async () => {
    const asked: string[] = [];
    const ask = (prompt: string) => {
      asked.push(prompt);
      return true;
    };
    const outcome = await loop({
      model: scriptedModel([call('gone')], 'Done.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop({ ask })],
    });

    expect(asked).toEqual([]);
    expect(resultsOf(outcome.state.messages)).toEqual(['gone-1: error There is no tool called "gone".']);
  });

  it('asks in words about an input that is nested too deeply to be written (BEY-39, H-01)', async () => {
    let input: Json = 'deep';
    for (let level = 0; level < 10_000; level += 1) input = [input];
    const { outcome, runs } = await once({ redact: (_tool, given) => given }, input);

    expect(outcome).toMatchObject({ type: 'interrupted', interrupts: [{ reason: { input: canonical(input) } }] });
    expect(runs).toEqual([]);
  });

  it.each([
    ['yes', 1],
    ['no', 0],
  ])('goes on with %s at resume, without asking again (H-02)', async (answer, runs) => {
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop()],
    });
    await agent.invoke('go');
    const [interrupt] = await agent.interrupts();
    const outcome = await agent.invoke([reply(interrupt, answer)]);

    expect(outcome.stopReason).toBe('endTurn');
    expect(tool.runs).toHaveLength(runs);
  });

  it.each<[string, readonly string[], boolean]>([
    ['lets a listed tool run (H-03)', ['t'], false],
    ['asks about a tool that is not listed (H-03)', ['other'], true],
    ['tells upper from lower case (H-03)', ['T'], true],
    ['lets every tool run with * (H-04)', ['*'], false],
    ['asks about !t beside * (H-05)', ['*', '!t'], true],
    ['lets the others run beside !other (H-05)', ['*', '!other'], false],
    ['asks when a tool is listed both ways (H-06)', ['t', '!t'], true],
  ])('%s', async (_sentence, allowedTools, asks) => {
    const { outcome } = await once({ allowedTools });

    expect(outcome.type).toBe(asks ? 'interrupted' : 'finished');
  });

  it('lets a family of tools run that the options name as one (H-03)', async () => {
    expect((await once({ allowedTools: [{ startsWith: 't' }] })).runs).toHaveLength(1);
    expect((await once({ allowedTools: [{ startsWith: 'other_' }] })).outcome.type).toBe('interrupted');
  });

  it('asks about a guarded tool even when it is trusted, inside or outside (H-07)', async () => {
    const outside = await once({ allowedTools: ['!t'], isTrusted: () => true });
    const inside = await twice({ allowedTools: ['!t'], enableTrust: true, ask: () => true });

    expect(outside.outcome.type).toBe('interrupted');
    expect(inside.asked).toBe(2);
  });

  it.each<[string, Partial<DecisionRule>]>([
    ['guards', { effect: 'guarded', approvers: ['BEN'] }],
    ['puts to two people', { approvers: ['BEN', 'CAT'], quorum: 2 }],
  ])('asks each time about a tool that a rule %s, also when it is listed or trusted (P32)', async (_what, partly) => {
    const ruleFor = () => ({ effect: 'asked', ...partly }) as const;
    const ask = () => ({ decision: 'trust', approver: 'BEN' });

    expect((await once({ ruleFor, allowedTools: ['t'] })).outcome.type).toBe('interrupted');
    expect((await once({ ruleFor, isTrusted: () => true })).outcome.type).toBe('interrupted');
    expect(await twice({ ruleFor, enableTrust: true, ask }, { b: 1 })).toEqual({ asked: 2, runs: 0 });
  });

  it('consults trust kept outside for other tools, and only true counts (H-07, P39)', async () => {
    expect((await once({ isTrusted: () => true })).runs).toHaveLength(1);
    expect((await once({ isTrusted: async () => false })).outcome.type).toBe('interrupted');
    // @ts-expect-error only a boolean is an answer
    expect((await once({ isTrusted: () => 'yes' })).outcome.type).toBe('interrupted');
  });

  it.each<[string, () => unknown, number]>([
    ['a yes', () => true, 1],
    ['a no', () => false, 0],
    ['a yes that comes later', async () => 'yes', 1],
    ['a no that comes later', async () => 'no', 0],
    ['an envelope', () => ({ decision: 'approve', approver: 'BEN' }), 1],
  ])('reads %s inline as a yes (H-08)', async (_what, ask, runs) => {
    const asked = await once({ ask });

    expect(asked.outcome.type).toBe('finished');
    expect(asked.runs).toHaveLength(runs);
  });

  it.each([undefined, null])('reads %j inline as a no, and does not pause (H-09)', async (nothing) => {
    const { outcome, result } = await once({ ask: () => nothing });

    expect(outcome.type).toBe('finished');
    expect(result).toBe(
      't-1: error DENIED: The approval callback gave no response for the tool "t", which counts as a no.',
    );
  });

  it.each<[string, unknown]>([
    ['a date', { d: new Date(0) }],
    ['a list with an undefined item', [undefined]],
    ['a big integer', 1n],
  ])(
    'asks again after an inline answer whose edited input is or holds %s, which JSON cannot hold',
    async (_what, odd) => {
      const answers = [
        { decision: 'approve', editedInput: odd as Json },
        { decision: 'approve', editedInput: { a: 2 } },
      ];
      const problems: unknown[] = [];
      const { runs } = await once({
        ask: (_prompt, { problem }) => {
          problems.push(problem);
          return answers.shift();
        },
      });

      expect(runs).toEqual([{ a: 2 }]);
      expect(problems).toEqual([undefined, expect.stringContaining('JSON cannot hold')]);
    },
  );

  it('ends the run when the callback throws (H-10)', async () => {
    await expect(once({ ask: () => Promise.reject(new Error('offline')) })).rejects.toThrow('offline');
  });

  it('judges with evaluators of its own, of which only true approves (H-11)', async () => {
    expect((await once({ ask: () => 'sure', evaluate: (answer) => answer === 'sure' })).runs).toHaveLength(1);
    // @ts-expect-error only a boolean is a verdict
    expect((await once({ ask: () => 'sure', evaluate: () => 1 })).runs).toEqual([]);
    expect((await once({ ask: () => ({ decision: 'approve' }), evaluate: () => false })).runs).toEqual([]);
    expect(await twice({ enableTrust: true, evaluateTrust: (answer) => answer === '!', ask: () => '!' })).toEqual({
      asked: 1,
      runs: 2,
    });
  });

  it('remembers trust given inline, and does not ask again (H-12)', async () => {
    expect(await twice({ enableTrust: true, ask: () => 'Trust' })).toEqual({ asked: 1, runs: 2 });
    expect(await twice({ enableTrust: true, ask: () => ({ decision: 'trust' }) })).toEqual({ asked: 1, runs: 2 });
  });

  it('remembers trust given at resume, over save and load (H-12)', async () => {
    const tool = witness('t');
    const model = scriptedModel([call('t')], [call('t', {}, 't-2')], 'Done.');
    const agent = makeAgent({
      model,
      tools: [tool],
      interventions: [new HumanInTheLoop({ enableTrust: { scope: 'session' } })],
    });
    await agent.invoke('go');
    const [interrupt] = await agent.interrupts();
    await agent.invoke([reply(interrupt, 't')]);

    expect(tool.runs).toHaveLength(2);
    expect(agent.appState.toJSON()).toEqual({ 'hitl:trustedTools': ['t'] });
  });

  it.each<Json>(['no', 'n', '', 'tt', 1, false, ['t'], { t: true }])(
    'takes %j for neither trust nor a yes where trust is on (H-13)',
    async (answer) => {
      const { runs } = await once({ enableTrust: true, ask: () => answer });

      expect(runs).toEqual([]);
    },
  );

  it.each(['t', 'trust'])('reads %s as a no when trust is off (H-13)', async (answer) => {
    expect(await twice({ ask: () => answer })).toEqual({ asked: 1, runs: 0 });
  });

  it('reads trust in a guarded tool as a no, and remembers nothing (H-14)', async () => {
    const agent = { id: 'a', appState: createAppState() };
    const tool = witness('t');
    const gate = new HumanInTheLoop({ allowedTools: ['!t'], enableTrust: true, ask: () => 't' });
    await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate], agent });

    expect(tool.runs).toEqual([]);
    expect(listTrust(agent.appState)).toEqual([]);
  });

  it.each<[string, TrustTerms, Json, number]>([
    ['another input, when it covers any', {}, { b: 1 }, 1],
    ['another input, when it covers one', { input: 'exact' }, { b: 1 }, 2],
    ['a second use of one', { maxUses: 1 }, {}, 1],
    ['a use when none is left', { maxUses: 0 }, {}, 2],
    ['the rest of an invocation', { scope: 'invocation' }, {}, 1],
    ['the rest of a session', { scope: 'session' }, {}, 1],
    ['a time that is over', { forMs: 0 }, {}, 2],
    ['all of a user', { scope: 'user', forMs: null }, {}, 1],
  ])('asks about %s as often as the terms say (H-12)', async (_what, enableTrust, second, asked) => {
    expect((await twice({ enableTrust, ask: () => 't' }, second)).asked).toBe(asked);
  });

  it.each<[string, HumanInTheLoopOptions]>([
    ['a yes', { evaluate: (response) => response === 'pin 1234' }],
    ['trust', { evaluateTrust: (response) => response === 'pin 1234' }],
  ])('takes no envelope for trust where the program has its own function for %s (H-11, H-12)', async (_what, own) => {
    const { runs } = await once({ ...own, enableTrust: true, ask: () => ({ decision: 'trust' }) });

    expect(runs).toEqual([]);
  });

  it('takes the envelope of trust that the function of the program takes (H-11, H-12)', async () => {
    const pin = { decision: 'trust', comment: 'pin 1234' };
    const own = { evaluateTrust: (response: Json) => canonical(response) === canonical(pin) };

    expect(await twice({ ...own, enableTrust: true, ask: () => pin })).toEqual({ asked: 1, runs: 2 });
  });

  it('takes no trust together with an edit, because trust would cover the input that the person changed (H-12)', async () => {
    const problems: unknown[] = [];
    const answers: Json[] = [{ decision: 'trust', editedInput: { to: 'test' } }, { decision: 'deny' }];
    const ask = (_prompt: string, { problem }: { problem?: string }) => {
      problems.push(problem);
      return answers.shift();
    };
    const { runs } = await once({ enableTrust: { input: 'exact' }, ask }, { to: 'production' });

    expect(runs).toEqual([]);
    expect(problems).toEqual([undefined, expect.stringContaining('cannot be trusted')]);
  });

  it('keeps trust to the conversation, the requester and the policy it was given under (H-12)', async () => {
    const agent = { id: 'a', appState: createAppState() };
    const asks = async (invocationState: Record<string, unknown>, policyVersion = '1') => {
      let asked = 0;
      const gate = new HumanInTheLoop({ enableTrust: { policyVersion }, ask: () => (++asked > 0 ? 't' : '') });
      await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        interventions: [gate],
        agent,
        invocationState,
      });
      return asked;
    };

    expect(await asks({ requester: 'ANN', thread: '1' })).toBe(1);
    expect(await asks({ requester: 'ANN', thread: '1' })).toBe(0);
    expect(await asks({ requester: 'ANN', thread: '2' })).toBe(1);
    expect(await asks({ requester: 'ZOE', thread: '1' })).toBe(1);
    expect(await asks({ requester: 'ANN', thread: '1' }, '2')).toBe(1);
    const [entry] = listTrust(agent.appState);
    revokeTrust(agent.appState, entry?.id ?? '');
    expect(await asks({ requester: 'ANN', thread: '1' }, '2')).toBe(1);
    revokeAllTrust(agent.appState);
    expect(listTrust(agent.appState)).toEqual([]);
  });

  it.each([
    ['before', { response: 'no' }],
    ['after', { ask: () => new Promise((resolve) => setImmediate(resolve, 'no')) }],
  ])(
    'gives no trust when another handler refuses the call, %s the answer of trust (H-12, P19d)',
    strictly('BEY-16', async (_when, how) => {
      const agent = { id: 'a', appState: createAppState() };
      const other: Handler = {
        name: 'other',
        beforeToolCall: () => confirm('?', { ...how, evaluate: () => false }),
      };
      const gate = new HumanInTheLoop({ enableTrust: true, ask: () => 't' });
      await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        interventions: [gate, other],
        agent,
      });

      expect(listTrust(agent.appState)).toEqual([]);
    }),
  );

  it.each([
    ['concurrent', true],
    ['concurrent', false],
    ['sequential', true],
    ['sequential', false],
  ] as const)(
    'asks about each gated call of a batch in one round (%s, inline: %s) (H-15)',
    strictly('BEY-16', async (executor, inline) => {
      const [a, free, b] = [witness('a'), witness('free'), witness('b')];
      const open: { readonly name: string; readonly answer: ReturnType<typeof deferred<boolean>> }[] = [];
      const ask = (_prompt: string, { toolUse }: { toolUse: { name: string } }) => {
        const answer = deferred<boolean>();
        open.push({ name: toolUse.name, answer });
        return answer.promise;
      };
      const gate = new HumanInTheLoop({ allowedTools: ['free'], ...(inline ? { ask } : {}) });
      const model = scriptedModel([call('a'), call('free'), call('b')], 'Done.');
      const agent = makeAgent({ model, tools: [a, free, b], interventions: [gate], toolExecutor: executor });
      const running = agent.invoke('go');
      await new Promise((resolve) => setTimeout(resolve, 20));
      const asked = inline
        ? open.map(({ name }) => name)
        : (await agent.interrupts()).map(({ toolUseId }) => toolUseId?.slice(0, 1));

      expect(asked).toEqual(['a', 'b']);
      expect(free.runs).toHaveLength(executor === 'concurrent' ? 1 : 0);
      for (const { answer } of open) answer.resolve(true);
      await running;
      if (!inline) await agent.invoke((await agent.interrupts()).map((interrupt) => reply(interrupt, true)));
      expect([a.runs.length, free.runs.length, b.runs.length]).toEqual([1, 1, 1]);
      expect(resultsOf(agent.messages).map((line) => line.split(':')[0])).toEqual(['a-1', 'free-1', 'b-1']);
    }),
  );

  it('asks no more people at once than the limit allows (H-15)', async () => {
    let open = 0;
    let most = 0;
    const ask = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return true;
    };
    const calls = Array.from({ length: 6 }, (_, index) => call('t', { index }, `t-${index}`));
    const tool = witness('t');
    await loop({
      model: scriptedModel(calls, 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop({ ask })],
      limits: { parallelAsks: 2 },
    });

    expect([most, tool.runs.length]).toEqual([2, 6]);
  });

  it('asks questions on the terminal one after the other, with its suffix (H-16)', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const terminal = createTerminalAsk({ input, output });
    const first = terminal(' (y/n): ')('One?', {});
    const second = terminal(' (y/n/t): ')('Two?', { problem: 'That was no answer.' });
    await new Promise(setImmediate);
    const before = `${output.read()}`;
    input.write('  yes  \nt\n');

    expect(before).toBe('One? (y/n): ');
    expect([await first, await second]).toEqual(['yes', 't']);
    expect(`${output.read()}`).toBe('That was no answer.\nTwo? (y/n/t): ');
    input.end();
    expect(await terminal('')('Three?', {})).toBeUndefined();
  });

  it('takes no line on a terminal that was typed before its question was shown (H-16)', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = new PassThrough();
    const shown = async () => {
      while (output.read() === null) await new Promise(setImmediate);
    };
    input.write('y\n');
    const terminal = createTerminalAsk({ input, output })('');
    const first = terminal('One?', {});
    await shown();
    input.write('no\ny\n');
    expect(await first).toBe('no');
    const second = terminal('Two?', {});
    await shown();
    input.write('n\n');

    expect(await second).toBe('n');
  });

  it('writes out on the terminal what it would obey or not show (H-16, T2)', async () => {
    const output = new PassThrough();
    void createTerminalAsk({ input: new PassThrough(), output })('?')(
      'Input: a\u202eb\u009b8mc\u001b[2Kd\u200be\nf',
      {},
    );
    await new Promise(setImmediate);

    expect(`${output.read()}`).toBe('Input: a\\u{202e}b\\u{9b}8mc\\u{1b}[2Kd\\u{200b}e\nf?');
  });

  it('asks on the terminal of the process when the options choose it, and runs the call on a yes (H-16)', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const streams = { stdin: input, stdout: output };
    const before = Object.getOwnPropertyDescriptors(process);
    for (const name of ['stdin', 'stdout'] as const) {
      Object.defineProperty(process, name, { value: streams[name], configurable: true });
      onTestFinished(() => void Object.defineProperty(process, name, before[name]));
    }
    input.write('yes\n');

    expect((await once({ ask: 'stdio' })).runs).toEqual([{ a: 1 }]);

    expect(`${output.read()}`).toContain(' (y/n): ');
  });

  it.each([['t'], [['']], [[1]], [['!']], [[null]], [[{ startsWith: 1 }]], [[{ startsWith: '' }]], [[{}]]])(
    'refuses %j as a list of tools (H-17)',
    (allowedTools) => {
      const list: unknown = allowedTools;

      // Not a list of names, which is the point.
      expect(() => new HumanInTheLoop({ allowedTools: list as [] })).toThrow('must be a list of tool names');
    },
  );

  it.each<[string, HumanInTheLoopOptions['classifier'], boolean]>([
    ['says no', () => ({ requiresHumanInTheLoop: false }), false],
    ['says yes', async () => ({ requiresHumanInTheLoop: true, reason: 'It deletes things.' }), true],
    ['throws', () => Promise.reject(new Error('model is gone')), true],
    // @ts-expect-error a decision is a boolean
    ['answers nonsense', () => ({ requiresHumanInTheLoop: 'no' }), true],
    // @ts-expect-error nothing is no decision
    ['answers nothing', () => null, true],
    // @ts-expect-error nor is a word
    ['answers with a word', () => 'harmless', true],
    // @ts-expect-error nor is an answer that says nothing of people
    ['answers without a decision', () => ({ reason: 'harmless' }), true],
    ['is a model that says no', { model: async () => ({ requiresHumanInTheLoop: false }) }, false],
    ['is a model that answers nonsense', { model: async () => 'fine' }, true],
    ['has no model', true, true],
  ])('asks when the classifier %s (H-18)', async (_what, classifier = false, asks) => {
    const { outcome } = await once({ classifier });

    expect(outcome.type).toBe(asks ? 'interrupted' : 'finished');
  });

  it('consults the classifier once for each call, only when no list decides, and shows its reason (H-18)', async () => {
    let consulted = 0;
    const classifier = () => {
      consulted += 1;
      return { requiresHumanInTheLoop: true, reason: 'It deletes things.' };
    };
    const warnings: string[] = [];
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop({ classifier })],
    });
    await agent.invoke('go');
    const [interrupt] = await agent.interrupts();
    await agent.invoke([reply(interrupt, true)]);

    expect(consulted).toBe(1);
    expect(JSON.stringify(interrupt?.reason)).toContain('It deletes things.');
    await once({ classifier, allowedTools: ['t'] });
    await once({ classifier, allowedTools: ['!t'] });
    expect(consulted).toBe(1);
    new HumanInTheLoop({ allowedTools: ['*'], warn: (warning) => void warnings.push(warning) });
    new HumanInTheLoop({ classifier, warn: (warning) => void warnings.push(warning) });
    expect(warnings).toEqual([]);
    new HumanInTheLoop({ classifier, allowedTools: ['*'], warn: (warning) => void warnings.push(warning) });
    expect(warnings).toEqual([expect.stringContaining('there is a classifier, which then has nothing to decide')]);
  });

  it('lets the classifier flag an input of a trusted tool (H-18)', async () => {
    const classifier = ({ toolUse }: BeforeToolCallEvent) => ({
      requiresHumanInTheLoop: JSON.stringify(toolUse.input) !== '{}',
    });

    expect((await once({ classifier, isTrusted: () => true }, {})).outcome.type).toBe('finished');
    expect((await once({ classifier, isTrusted: () => true }, { all: true })).outcome.type).toBe('interrupted');
  });

  it('asks no person about a tool that does not exist (H-19)', async () => {
    const outcome = await loop({
      model: scriptedModel([call('ghost')], 'Done.'),
      interventions: [new HumanInTheLoop()],
    });

    expect(outcome.type).toBe('finished');
    expect(resultsOf(outcome.state.messages)).toEqual(['ghost-1: error There is no tool called "ghost".']);
  });

  it.each(['handler', 'tool'])('asks about a renamed or replaced call under its new name (%s) (H-20)', async (by) => {
    const danger = witness('danger');
    const change = transform<BeforeToolCallEvent>((event) => {
      if (by === 'handler') event.toolUse.name = 'danger';
      else event.selectedTool = danger;
    });
    const rename: Handler = { name: 'rename', beforeToolCall: () => change };
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t'), danger],
      interventions: [new HumanInTheLoop({ allowedTools: ['t'] }), rename],
    });

    expect(outcome).toMatchObject({ type: 'interrupted', interrupts: [{ reason: { tool: 'danger' } }] });
    expect(danger.runs).toEqual([]);
  });
});

describe('an answer', () => {
  it(
    'is asked for again when it is not valid, and the person who gave it hears so',
    strictly('BEY-38', async () => {
      const problems: unknown[] = [];
      const answers = ['perhaps', 'yes'];
      const { runs } = await once({
        ask: (_prompt, { problem }) => {
          problems.push(problem);
          return answers.shift();
        },
      });

      expect(problems).toEqual([undefined, '"perhaps" is not one of the answers. The question is still open.']);
      expect(runs).toHaveLength(1);
    }),
  );

  it.each<[string, HumanInTheLoopOptions, Json]>([
    ['a usual yes', { answers: ['go', 'stop'] }, 'yes'],
    ['a usual trust', { answers: ['y', 'n'], enableTrust: true }, 't'],
    ['what a function takes for a yes', { answers: ['stop'], evaluate: (response) => response === 'go' }, 'go'],
  ])('is open after %s that is not one of its answers', (_what, options, said) =>
    strictly('BEY-38', async () => {
      const { runs, result } = await once({ ...options, ask: () => said });

      expect(runs).toEqual([]);
      expect(result).toContain('No answer that counts was given');
    })(),
  );

  it.each<[Json, Json]>([
    ['GO', 'go'],
    [{ go: 1 }, { go: 1 }],
  ])('is a yes when %j is one of its answers and the function says so', async (said, listed) => {
    const { runs } = await once({ answers: [listed], evaluate: () => true, ask: () => said });

    expect(runs).toHaveLength(1);
  });

  it(
    'is asked for a limited number of times',
    strictly('BEY-38', async () => {
      let asked = 0;
      const { runs, result } = await once({ ask: () => `perhaps ${++asked}` });

      expect([asked, runs]).toEqual([10, []]);
      expect(result).toContain('No answer that counts was given');
    }),
  );

  it('can edit the input: the edit alone runs, after every handler and its own check', async () => {
    const seen: Json[] = [];
    const tool = {
      ...witness('t'),
      parse: (input: Json) =>
        JSON.stringify(input).includes('bad') ? { ok: false as const, problem: 'bad' } : { ok: true as const, input },
    };
    const answers = [
      { decision: 'approve', editedInput: { bad: 1 } },
      { decision: 'approve', editedInput: { a: 2 } },
    ];
    let asked = 0;
    const watch: Handler = {
      name: 'watch',
      beforeToolCall: ({ toolUse }) => ({ type: 'proceed', reason: `${seen.push(toolUse.input)} seen` }),
    };
    await loop({
      model: scriptedModel([call('t', { a: 1 })], 'Done.'),
      tools: [tool],
      interventions: [watch, new HumanInTheLoop({ ask: () => answers[asked++] })],
    });

    expect([asked, seen, tool.runs]).toEqual([2, [{ a: 1 }, { a: 2 }], [{ a: 2 }]]);
  });

  it('without an edit is not checked as an edit', async () => {
    const picky = {
      ...witness('t'),
      parse: (input: Json) =>
        input === undefined ? { ok: false as const, problem: 'nothing' } : { ok: true as const, input },
    };
    const gate = new HumanInTheLoop({ ask: () => true });
    await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [picky], interventions: [gate] });

    expect(picky.runs).toHaveLength(1);
  });

  it(
    'that was known beforehand and is not valid is a no',
    strictly('BEY-38', async () => {
      const plain: Handler = { name: 'plain', beforeToolCall: () => confirm('Sure?', { response: 'perhaps' }) };
      const outcome = await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        interventions: [plain],
      });

      expect(resultsOf(outcome.state.messages)).toEqual([
        't-1: error DENIED: The answer that was given beforehand does not count.',
      ]);
    }),
  );

  it('that edits in a pause runs the edit after the resume', async () => {
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t', { a: 1 })], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop()],
    });
    await agent.invoke('go');
    const [interrupt] = await agent.interrupts();
    await agent.invoke([reply(interrupt, { decision: 'approve', editedInput: { a: 2 } })]);

    expect(tool.runs).toEqual([{ a: 2 }]);
  });

  it('after its time counts as no answer', async () => {
    const timers = handTimers();
    const tool = witness('t');
    const running = loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      timers,
      interventions: [new HumanInTheLoop({ ask: () => new Promise(() => {}) })],
    });
    await new Promise(setImmediate);
    timers.pass(15 * 60_000);

    expect(resultsOf((await running).state.messages)[0]).toContain('EXPIRED: Nobody answered in time');
    expect(tool.runs).toEqual([]);
  });

  it.each([
    [5_000, true],
    [null, false],
  ])('has the time that was set for it (%j)', async (askTimeoutMs, over) => {
    const timers = handTimers();
    const answer = deferred<boolean>();
    const tool = witness('t');
    const gate = new HumanInTheLoop({ askTimeoutMs, ask: () => answer.promise });
    const running = loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], timers, interventions: [gate] });
    await new Promise(setImmediate);
    timers.pass(4_999);
    await new Promise(setImmediate);
    timers.pass(over ? 1 : 365 * 24 * 60 * 60_000);
    await new Promise(setImmediate);
    answer.resolve(true);
    await running;

    expect(tool.runs).toHaveLength(over ? 0 : 1);
  });

  it.each([
    ['a plain question has the usual answers', {}, 'strict', true],
    ['an evaluator decides what counts as an answer', { evaluate: () => false }, 'strict', false],
    [
      'a settling function decides what counts as an answer',
      { settle: () => ({ type: 'approved' as const }) },
      'strict',
      false,
    ],
    ['anything was an answer in the reference profile', {}, 'reference', false],
  ] as const)('is one of a set: %s', async (_sentence, options, profile, usual) => {
    const plain: Handler = { name: 'plain', beforeToolCall: () => confirm('Sure?', options) };
    const outcome = await loop({
      model: scriptedModel([call('t')]),
      tools: [witness('t')],
      interventions: [plain],
      profile,
    });
    const interrupt = outcome.type === 'interrupted' ? outcome.interrupts[0] : undefined;

    expect(interrupt?.name).toBe('plain');
    expect(interrupt?.answers !== undefined).toBe(usual);
  });

  it.each<[string, HumanInTheLoopOptions, boolean]>([
    ['the usual ones', {}, true],
    ['those that are given', { answers: ['aye', 'nay'] }, true],
    ['any, when an evaluator decides', { evaluate: () => true }, false],
    ['any, when an evaluator decides about trust', { evaluateTrust: () => true }, false],
    ['any, in the reference profile', { profile: 'reference' }, false],
  ])(
    'to the gate is one of a set: %s',
    strictly('BEY-38', async (_which, options, has) => {
      const { outcome } = await once(options);
      const interrupt = outcome.type === 'interrupted' ? outcome.interrupts[0] : undefined;

      expect(interrupt?.name).toBe('countersign:human-in-the-loop');
      expect(interrupt?.answers !== undefined).toBe(has);
    }),
  );

  it('that is not understood is a no in the reference profile, and the model reads the prompt', async () => {
    const tool = witness('t');
    const gate = new HumanInTheLoop({ profile: 'reference', ask: () => 'perhaps' });
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [gate],
      profile: 'reference',
    });

    expect(tool.runs).toEqual([]);
    expect(resultsOf(outcome.state.messages)[0]).toContain('CONFIRMATION_FAILED: The tool "t" needs');
  });

  it('that refused a call is not asked for again, and three refusals close the tool (BEY-24)', async () => {
    let asked = 0;
    const tool = witness('t');
    const calls = [1, 1, 2, 3, 4].map((a, index) => [call('t', { a }, `t-${index}`)]);
    const outcome = await loop({
      model: scriptedModel(...calls, 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop({ ask: () => ++asked < 0 })],
    });

    expect([asked, tool.runs]).toEqual([3, []]);
    expect(resultsOf(outcome.state.messages)[1]).toContain('This same call was refused before');
    expect(resultsOf(outcome.state.messages)[4]).toContain('"t" was refused 3 times, so it is closed for now.');
  });

  it('that refused once is enough to close the tool where the program says so (BEY-24)', async () => {
    const calls = [1, 2].map((a, index) => [call('t', { a }, `t-${index}`)]);
    const outcome = await loop({
      model: scriptedModel(...calls, 'Done.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop({ ask: () => false, refusalsPerTool: 1 })],
    });

    expect(resultsOf(outcome.state.messages)[1]).toContain('"t" was refused once, so it is closed for now.');
  });

  it('that refused a call counts once, however often the call is judged again while earlier ones wait (BEY-24)', async () => {
    const waiting = ['w1', 'w2', 'w3', 'w4'];
    const agent = makeAgent({
      model: scriptedModel(
        [...waiting, 't'].map((name) => call(name)),
        [call('t', { a: 2 }, 't-2')],
        'Done.',
      ),
      tools: [...waiting, 't'].map((name) => witness(name)),
      interventions: [new HumanInTheLoop()],
      toolExecutor: 'sequential',
      profile: 'strict',
    });
    await agent.invoke('go');
    for (const at of [4, 3, 2, 1, 0]) {
      const found = (await agent.interrupts()).find(({ toolUseId }) => toolUseId === `${[...waiting, 't'][at]}-1`);
      await agent.invoke([reply(found, at < 4)]);
    }

    expect((await agent.interrupts()).map(({ toolUseId }) => toolUseId)).toEqual(['t-2']);
  });

  it.each([undefined, null])(
    'that is %j is a refusal, so the same call is not asked about again (BEY-24, H-09)',
    async (nothing) => {
      expect(await twice({ ask: () => nothing })).toEqual({ asked: 1, runs: 0 });
    },
  );

  it('of nothing that comes after the wait has ended is no refusal (BEY-24)', async () => {
    const [timers, answer] = [handTimers(), deferred<undefined>()];
    let asked = 0;
    const gate = new HumanInTheLoop({ ask: () => (++asked === 1 ? answer.promise : true) });
    const tool = witness('t', () => 'done');
    const late: Handler = {
      name: 'late',
      afterToolCall: async () => {
        answer.resolve(undefined);
        await new Promise(setImmediate);
        return { type: 'proceed' };
      },
    };
    const model = scriptedModel([call('t')], [call('t', {}, 't-2')], 'Done.');
    const ended = loop({ model, timers, tools: [tool], interventions: [gate, late] });
    await new Promise(setImmediate);
    timers.pass(15 * 60_000);
    await ended;

    expect([asked, tool.runs.length]).toEqual([2, 1]);
  });

  it.each(['expired', 'cancelled'])(
    'that never came (%s) is no refusal, so the same call may be asked about again (P60)',
    async (decision) => {
      expect(await twice({ ask: () => ({ decision }) })).toEqual({ asked: 2, runs: 0 });
    },
  );

  it('of trust approves where trust is kept outside, and refuses where no trust is kept', async () => {
    expect((await once({ ask: () => ({ decision: 'trust' }), isTrusted: () => false })).runs).toHaveLength(1);
    expect((await once({ ask: () => ({ decision: 'trust' }) })).runs).toEqual([]);
  });

  it('counts only from people who may decide, and from as many people as needed', async () => {
    const answers = [
      true,
      { decision: 'approve', approver: 'ZOE' },
      { decision: 'approve', approver: 'BEN', editedInput: {} },
      { decision: 'approve', approver: 'BEN' },
      { decision: 'approve', approver: 'BEN' },
      { decision: 'approve', approver: 'CAT' },
    ];
    const problems: unknown[] = [];
    const tool = witness('t');
    const ruleFor = () => ({ effect: 'guarded', approvers: ['BEN', 'CAT'], quorum: 2 }) as const;
    const ask = (_prompt: string, { problem, approvals }: { problem?: string; approvals: readonly Json[] }) => {
      problems.push(problem ?? approvals.length);
      return answers.shift();
    };
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      invocationState: { requester: 'ANN' },
      interventions: [new HumanInTheLoop({ ruleFor, ask })],
    });

    expect(problems).toEqual([
      0,
      'This question needs to know who answers it.',
      'You are not one of the people who can decide about this call.',
      'Several people approve this input, so it cannot be edited.',
      1,
      'Your approval counts already; another person has to approve as well.',
    ]);
    expect(tool.runs).toHaveLength(1);
  });

  it('from several people is collected over several pauses', async () => {
    const tool = witness('t');
    const ruleFor = () => ({ effect: 'guarded', approvers: ['BEN', 'CAT'], quorum: 2 }) as const;
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop({ ruleFor })],
    });
    const asAnn = { invocationState: { requester: 'ANN' } };
    await agent.invoke('go', asAnn);
    for (const approver of ['BEN', 'CAT']) {
      expect(tool.runs).toEqual([]);
      const [interrupt] = await agent.interrupts();
      await agent.invoke([reply(interrupt, { decision: 'approve', approver })], asAnn);
    }

    expect(tool.runs).toHaveLength(1);
  });

  it('is not asked for when no person could give it (P35)', async () => {
    const { result } = await once({ ruleFor: () => ({ effect: 'guarded' }), ask: () => true });

    expect(result).toContain('DENIED: No person can approve "t"');
  });

  it.each([1n, () => 1, Symbol('odd'), new Date(0), cyclic()])(
    'can be asked for whatever the input is (%#)',
    async (odd) => {
      // What a model sends is JSON; a handler may have put in anything.
      const input = { odd } as unknown as Json;
      const change: Handler = {
        name: 'change',
        beforeToolCall: () =>
          transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: input })),
      };
      const outcome = await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        interventions: [change, new HumanInTheLoop()],
      });

      expect(outcome.type).toBe('interrupted');
      expect(JSON.stringify(outcome)).toContain('#');
    },
  );
});

describe('a list of tools', () => {
  it('is reported for contradictions, for likely patterns and for unknown tool names (BEY-41)', async () => {
    const warnings: string[] = [];
    const gate = new HumanInTheLoop({
      allowedTools: ['t', '!t', 'mcp_*', '!ghost'],
      warn: (warning) => void warnings.push(warning),
    });
    await loop({ model: scriptedModel('Hello.'), tools: [witness('t'), witness('mcp_*')], interventions: [gate] });

    expect(warnings).toEqual([
      expect.stringContaining('t and !t'),
      expect.stringContaining('mcp_*, which matches nothing but itself'),
      expect.stringContaining('names ghost, and no tool is called that'),
    ]);
  });
});

function cyclic(): unknown {
  const loopback: Record<string, unknown> = {};
  loopback.self = loopback;
  return loopback;
}
