import { describe, expect, it } from 'vitest';
import {
  AfterToolCallEvent,
  BeforeToolCallEvent,
  contextCallback,
  type Handler,
  HumanInTheLoop,
  type Judge,
  ModelSteeringHandler,
  type ModelSteeringOptions,
  readLedger,
  type SteeringContextProvider,
  SteeringHandler,
  type SteeringOptions,
  steer,
  type ToolSteeringAction,
  type ToolSteeringMoment,
  toolLedger,
  type Warning,
} from '../../interventions/index.ts';
import { agent as makeAgent, reply } from '../support/agent.ts';
import { call, handTimers, lastText, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

class Steering extends SteeringHandler {
  readonly #action: (moment: ToolSteeringMoment) => ToolSteeringAction;

  constructor(action: (moment: ToolSteeringMoment) => ToolSteeringAction, options: SteeringOptions = {}) {
    super(options);
    this.#action = action;
  }
  override steerBeforeTool(moment: ToolSteeringMoment) {
    return this.#action(moment);
  }
}

async function steered(handler: Handler) {
  const tool = witness('t');
  const model = scriptedModel([call('t', { a: 1 })], 'Done.', 'Better.');
  const outcome = await loop({ model, tools: [tool], interventions: [handler] });
  return { outcome, model, runs: tool.runs, result: resultsOf(outcome.state.messages)[0] };
}

describe('steering', () => {
  it('proceeds by default (S-01)', async () => {
    const { runs, outcome } = await steered(new SteeringHandler());

    expect([runs.length, lastText(outcome)]).toEqual([1, 'Done.']);
  });

  it('lets a call run, guides it away, or asks a person (S-02)', async () => {
    expect((await steered(new Steering(() => steer.proceed('fine')))).runs).toHaveLength(1);
    expect((await steered(new Steering(() => steer.guide('use staging')))).result).toBe(
      't-1: error GUIDANCE: [countersign:steering] use staging',
    );
    expect((await steered(new Steering(() => steer.interrupt('Really?')))).outcome).toMatchObject({
      type: 'interrupted',
      interrupts: [{ name: 'countersign:steering', reason: 'Really?' }],
    });
  });

  it('accepts an answer, or has the model try again (S-03)', async () => {
    let judged = 0;
    class Answers extends SteeringHandler {
      override steerAfterModel() {
        judged += 1;
        return judged === 2 ? steer.guide('say more') : steer.proceed('fine');
      }
    }
    const { model, outcome } = await steered(new Answers());

    expect(lastText(outcome)).toBe('Better.');
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('[countersign:steering] say more');
  });

  it('cannot ask a person about an answer (S-04)', async () => {
    class Asking extends SteeringHandler {
      // @ts-expect-error an interrupt is not on the list after the model has answered
      override steerAfterModel() {
        return steer.interrupt('Really?');
      }
    }

    await expect(steered(new Asking({ onError: 'throw' }))).rejects.toThrow(
      'steered with "interrupt" on afterModelCall',
    );
  });

  it('keeps a context of its own, over several invocations (S-05)', async () => {
    const count: SteeringContextProvider = {
      callbacks: () => [
        contextCallback(BeforeToolCallEvent, (_event, { data }) => {
          data.set('calls', Number(data.get('calls') ?? 0) + 1);
        }),
      ],
    };
    const one = new SteeringHandler({ name: 'one', contextProviders: [count] });
    const two = new SteeringHandler({ name: 'two' });
    for (const _run of [1, 2]) {
      await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [witness('t')], interventions: [one, two] });
    }

    expect([one.context.data.toJSON(), two.context.data.toJSON()]).toEqual([{ calls: 2 }, {}]);
    const copied = one.context.data.toJSON();
    expect(copied).not.toBe(one.context.data.toJSON());
    // @ts-expect-error a function is not JSON
    expect(() => one.context.data.set('odd', () => 1)).toThrow('is not JSON');
  });

  it('has the current call in its context before it judges (S-06)', async () => {
    const seen: unknown[] = [];
    const handler: Steering = new Steering(
      () => {
        seen.push(readLedger(handler.context).map(({ tool, input, status }) => ({ tool, input, status })));
        return steer.proceed('fine');
      },
      { contextProviders: [toolLedger()] },
    );
    await steered(handler);

    expect(seen).toEqual([[{ tool: 't', input: { a: 1 }, status: 'pending' }]]);
    expect(readLedger(handler.context)).toMatchObject([{ status: 'success', result: 't is done', attempt: 1 }]);
  });

  it('is of one agent, so its handler is refused where a second agent gets it (S-06)', async () => {
    const handler = new Steering(() => steer.proceed('fine'), { contextProviders: [toolLedger()] });
    const tool = witness('t');
    const made = (id: string) =>
      makeAgent({ id, model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [handler] });
    await made('one').invoke('go');
    await made('one').invoke('go on');

    await expect(made('two').invoke('go')).rejects.toThrow(
      'keeps in its context what the agent one does, and was given to the agent two as well. Make a handler for each agent.',
    );

    expect(tool.runs).toHaveLength(2);
    const plain = new Steering(() => steer.proceed('fine'));
    for (const id of ['one', 'two'])
      await makeAgent({ id, model: scriptedModel('Done.'), interventions: [plain] }).invoke('go');
  });

  it('records the end of each call, once (S-07, BEY-32)', async () => {
    const handler = new Steering(
      ({ toolUse }) => (toolUse.name === 'guided' ? steer.guide('no') : steer.proceed('ok')),
      {
        contextProviders: [toolLedger({ resultCharacters: 10 })],
      },
    );
    const gate = new HumanInTheLoop({ allowedTools: ['free', 'guided', 'failing'] });
    const failing = witness('failing', () => {
      throw new Error('broken');
    });
    const calls = ['free', 'guided', 'failing', 'yes', 'no'].map((name) => call(name, { token: 'abc' }));
    const agent = makeAgent({
      model: scriptedModel(calls, 'Done.'),
      tools: [witness('free'), witness('guided'), failing, witness('yes'), witness('no')],
      interventions: [handler, gate],
    });
    const states = () => readLedger(handler.context).map(({ tool, status }) => `${tool} ${status}`);
    await agent.invoke('go');

    expect(states()).toEqual(['free success', 'guided guided', 'failing error', 'yes waiting', 'no waiting']);
    const [yes, no] = await agent.interrupts();
    await agent.invoke([reply(yes, true), reply(no, false)]);
    expect(states()).toEqual(['free success', 'guided guided', 'failing error', 'yes success', 'no denied']);
    expect(readLedger(handler.context)[0]).toMatchObject({ input: { token: '[redacted]' }, result: 'free is do' });
  });

  it('marks calls that were given up, and keeps a limited number of calls (S-07)', async () => {
    const handler = new SteeringHandler({ contextProviders: [toolLedger({ maxEntries: 2 })] });
    const controller = new AbortController();
    const calls = ['a', 'b', 'c'].map((name) => call(name));
    const running = loop({
      model: scriptedModel(calls),
      tools: ['a', 'b', 'c'].map((name) => witness(name)),
      interventions: [handler, new HumanInTheLoop({ ask: () => new Promise(() => {}) })],
      signal: controller.signal,
    });
    await new Promise(setImmediate);
    controller.abort('cancelled');
    await running;

    expect(readLedger(handler.context).map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      'b cancelled',
      'c cancelled',
    ]);
  });

  it('can begin anew with each invocation (S-07)', async () => {
    const handler = new SteeringHandler({ contextProviders: [toolLedger({ resetEachInvocation: true })] });
    await steered(handler);
    await steered(handler);

    expect(readLedger(handler.context)).toHaveLength(1);
  });

  const says =
    (answer: unknown): Judge =>
    async () =>
      answer;
  const judged = (options: Partial<ModelSteeringOptions>) =>
    new ModelSteeringHandler({ systemPrompt: 'Be careful.', ...options });

  it('judges with its own model, or with the model of the agent (S-08)', async () => {
    const asked: unknown[] = [];
    const model: Judge = async (request) => {
      asked.push(request);
      return { decision: 'guide', reason: 'not so fast' };
    };
    const own = await steered(judged({ model }));
    const tool = witness('t');
    const lent = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [judged({})],
      judge: model,
    });

    expect(own.result).toContain('GUIDANCE: [countersign:model-steering] not so fast');
    expect(resultsOf(lent.state.messages)[0]).toContain('not so fast');
    expect(asked[0]).toMatchObject({ system: 'Be careful.', maxTokens: 500 });
    expect(JSON.stringify(asked[0])).toContain('ledger');
  });

  it.each<[string, Partial<ModelSteeringOptions>]>([
    ['has no model', {}],
    ['answers with another shape', { model: says({ decision: 'maybe', reason: 'x' }) }],
    ['answers without a reason', { model: says({ decision: 'proceed', reason: '' }) }],
    ['fails', { model: () => Promise.reject(new Error('overloaded')) }],
  ])('denies the call when the judge %s (S-08)', async (_what, options) => {
    const { runs, result } = await steered(judged(options));

    expect(runs).toEqual([]);
    expect(result).toContain('error DENIED: Handler threw:');
  });

  it('denies the call when the judge takes too long (S-08)', async () => {
    const timers = handTimers();
    const tool = witness('t');
    const running = loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      timers,
      interventions: [judged({ model: () => new Promise(() => {}) })],
    });
    await new Promise(setImmediate);
    timers.pass(30_000);

    expect(resultsOf((await running).state.messages)[0]).toContain('gave no answer in 30000 ms');
    expect(tool.runs).toEqual([]);
  });

  it('lets an answer pass when the judge takes too long, and the owner is warned (S-08, BEY-31)', async () => {
    const timers = handTimers();
    const warnings: Warning[] = [];
    const running = loop({
      model: scriptedModel('Done.'),
      timers,
      warn: (warning) => void warnings.push(warning),
      interventions: [judged({ model: () => new Promise(() => {}), judgeAnswers: true })],
    });
    await new Promise(setImmediate);
    timers.pass(30_000);

    expect(lastText(await running)).toBe('Done.');
    expect(warnings).toMatchObject([{ handler: 'countersign:model-steering', event: 'afterModelCall' }]);
    expect(warnings[0]?.message).toContain('gave no answer in 30000 ms');
  });

  it('knows nothing of the run without providers, and judges a call once over a pause (S-08)', async () => {
    const prompts: string[] = [];
    const model: Judge = async ({ prompt }) => {
      prompts.push(prompt);
      return { decision: 'interrupt', reason: 'Really?' };
    };
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [judged({ model, contextProviders: [] })],
    });
    await agent.invoke('go');
    const [interrupt] = await agent.interrupts();
    await agent.invoke([reply(interrupt, true)]);

    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain('Context: {}');
  });

  it('judges answers when the options ask for it (S-08)', async () => {
    const model: Judge = async ({ prompt }) =>
      prompt.includes('"type":"answer"') && prompt.includes('Done.')
        ? { decision: 'guide', reason: 'say more' }
        : { decision: 'proceed', reason: 'fine' };

    expect(lastText((await steered(judged({ model, judgeAnswers: true }))).outcome)).toBe('Better.');
  });

  it.each(['no', false])('reads the answer %j of a person as a no (S-09)', async (answer) => {
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new Steering(() => steer.interrupt('Really?'))],
    });
    await agent.invoke('go');
    const [interrupt] = await agent.interrupts();
    await agent.invoke([reply(interrupt, answer)]);

    expect(tool.runs).toEqual([]);
  });

  it('does not let a call pass that it could not judge (S-10, BEY-31)', async () => {
    const failing = () => {
      throw new Error('confused');
    };

    expect((await steered(new Steering(failing))).result).toBe('t-1: error DENIED: Handler threw: confused');
    await expect(steered(new Steering(failing, { onError: 'throw' }))).rejects.toThrow('confused');
    // @ts-expect-error a gate cannot be open on failure
    await expect(steered(new Steering(failing, { onError: 'proceed' }))).rejects.toThrow('cannot mean yes');
  });

  it('lets an answer pass that it could not judge, unless it is to throw (S-10, BEY-31)', async () => {
    class Failing extends SteeringHandler {
      override steerAfterModel(): never {
        throw new Error('confused');
      }
    }

    expect(lastText((await steered(new Failing())).outcome)).toBe('Done.');
    await expect(steered(new Failing({ onError: 'throw' }))).rejects.toThrow('confused');
  });

  it('refuses an unknown kind of action (S-02)', async () => {
    // @ts-expect-error there are three kinds
    const { result } = await steered(new Steering(() => ({ type: 'dance', reason: 'why not' })));

    expect(result).toContain('DENIED: Handler threw: countersign:steering steered with "dance"');
  });
});

it('tells a ledger of calls that ran from those that did not (S-06)', () => {
  expect(
    toolLedger()
      .callbacks()
      .map(({ event }) => event),
  ).toEqual(expect.arrayContaining([BeforeToolCallEvent, AfterToolCallEvent]));
});
