import { describe, expect, it } from 'vitest';
import {
  type AfterToolCallEvent,
  BeforeToolCallEvent,
  createHookRegistry,
  deny,
  guide,
  type Handler,
  HOOK_ORDER,
  HumanInTheLoop,
  transform,
} from '../../interventions/index.ts';
import { agent, agent as makeAgent, reply } from '../support/agent.ts';
import { call, deferred, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

/** A gate that answers from a list, and a tool behind it. */
function gated(...answers: readonly unknown[]) {
  const asked: string[] = [];
  const ask = (prompt: string) => answers[asked.push(prompt) - 1];
  return { tool: witness('t'), asked, gate: new HumanInTheLoop({ ask }) };
}

describe('a failure known from elsewhere does not happen here:', () => {
  it('a callback that throws lets the gated tool run while the loop cleans up', async () => {
    const tool = witness('t');
    const gate = new HumanInTheLoop({
      ask: () => {
        throw new Error('offline');
      },
    });
    const model = scriptedModel([call('t')], [call('t', {}, 't-2')], 'Done.');
    await expect(loop({ model, tools: [tool], interventions: [gate] })).rejects.toThrow('offline');
    await new Promise(setImmediate);

    expect([tool.runs.length, model.requests.length]).toEqual([0, 1]);
  });

  it('a hook that throws lets the rest of the script run', async () => {
    const { tool, gate, asked } = gated(true, true);
    const hooks = createHookRegistry();
    hooks.addCallback(BeforeToolCallEvent, () => {
      throw new Error('broken');
    });
    const model = scriptedModel([call('t')], [call('t', {}, 't-2')], 'Done.');
    await expect(loop({ model, tools: [tool], interventions: [gate], hooks })).rejects.toThrow('broken');

    expect([tool.runs.length, asked.length, model.requests.length]).toEqual([0, 0, 1]);
  });

  it('the loop goes on after its watcher has left', async () => {
    const { tool, gate, asked } = gated(true, true);
    const model = scriptedModel([call('t')], 'Done.');
    for await (const { type } of agent({ model, tools: [tool], interventions: [gate] }).stream('go'))
      if (type === 'beforeTools') break;
    await new Promise(setImmediate);

    expect([tool.runs.length, asked.length, model.requests.length]).toEqual([0, 0, 1]);
  });

  it.each(['strict', 'reference'] as const)(
    'an input that is changed after the approval runs unseen (%s)',
    async (profile) => {
      const { tool, gate, asked } = gated(true, false);
      const change: Handler = {
        name: 'change',
        beforeToolCall: () =>
          transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { all: true } })),
      };
      await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate, change], profile });

      expect(asked.at(-1)).toContain('{"all":true}');
      expect(tool.runs).toEqual(profile === 'strict' ? [{ all: true }] : []);
    },
  );

  it('a late hook changes the input after the approval', async () => {
    const { tool, gate } = gated(true);
    const hooks = createHookRegistry();
    const late = (event: BeforeToolCallEvent) => void Object.assign(event.toolUse, { input: { all: true } });
    hooks.addCallback(BeforeToolCallEvent, late, { order: HOOK_ORDER.last });
    const running = loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate], hooks });

    await expect(running).rejects.toThrow();
    expect(tool.runs).toEqual([]);
  });

  it('an open call that is renamed to a gated one runs without a question', async () => {
    const danger = witness('danger');
    const rename: Handler = {
      name: 'rename',
      beforeToolCall: () =>
        transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { name: 'danger' })),
    };
    const asked: string[] = [];
    const gate = new HumanInTheLoop({
      allowedTools: ['t'],
      ask: (_prompt, { toolUse }) => asked.push(toolUse.name) < 0,
    });
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t'), danger],
      interventions: [gate, rename],
    });

    expect([asked, danger.runs]).toEqual([['danger'], []]);
  });

  it('yes, no, no on retries lead to three runs', async () => {
    const { tool, gate, asked } = gated('yes', 'no', 'no');
    const again: Handler = {
      name: 'again',
      afterToolCall: () =>
        transform<AfterToolCallEvent>((event) => void Object.assign(event, { retry: event.attempt < 3 })),
    };
    await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate, again] });

    expect(tool.runs).toHaveLength(1);
    // The third is the same call as the one just refused: no person is asked about it again.
    expect(asked).toHaveLength(2);
  });

  it('a repeated tool call id uses the old approval', async () => {
    const { tool, gate, asked } = gated('yes', 'no');
    await loop({ model: scriptedModel([call('t')], [call('t')], 'Done.'), tools: [tool], interventions: [gate] });

    expect([tool.runs.length, asked.length]).toEqual([1, 2]);
  });

  it('an evaluator that throws lets the tool run, because its handler proceeds on failure', async () => {
    const tool = witness('t');
    const careless: Handler = {
      name: 'careless',
      onError: 'proceed',
      beforeToolCall: () => ({
        type: 'confirm',
        prompt: 'sure?',
        response: true,
        evaluate: () => {
          throw new Error('confused');
        },
      }),
    };
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [careless],
    });

    expect(tool.runs).toEqual([]);
    expect(resultsOf(outcome.state.messages)).toEqual(['t-1: error DENIED: Handler threw: confused']);
  });

  it('an action of an unknown kind is logged and the tool runs', async () => {
    const tool = witness('t');
    // The types forbid it; a handler in plain JavaScript can still do it.
    const odd = {
      name: 'odd',
      gate: true,
      onError: 'deny',
      beforeToolCall: () => ({ type: 'maybe' }),
    } as unknown as Handler;
    await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [odd] });
    await expect(
      loop({ model: scriptedModel([call('t')]), tools: [tool], interventions: [{ ...odd, onError: 'throw' }] }),
    ).rejects.toThrow('unknown kind');

    expect(tool.runs).toEqual([]);
  });

  it('an approval that arrives after the cancel still runs the tool', async () => {
    const tool = witness('t');
    const answer = deferred<boolean>();
    const controller = new AbortController();
    const gate = new HumanInTheLoop({ ask: () => answer.promise });
    const running = loop({
      model: scriptedModel([call('t')]),
      tools: [tool],
      interventions: [gate],
      signal: controller.signal,
    });
    await new Promise(setImmediate);
    // At once: the approval is there before the loop has noticed the cancel.
    answer.resolve(true);
    controller.abort('cancelled');
    await running;
    await new Promise(setImmediate);

    expect(tool.runs).toEqual([]);
  });

  it('a second press on a decided approval makes another model call', async () => {
    const tool = witness('t');
    const model = scriptedModel([call('t')], 'Done.');
    const agent = makeAgent({ model, tools: [tool], interventions: [new HumanInTheLoop()] });
    await agent.invoke('go');
    const [interrupt] = await agent.interrupts();
    await agent.invoke([reply(interrupt, true)]);
    await agent.invoke([reply(interrupt, true)]);

    expect([model.requests.length, tool.runs.length]).toEqual([2, 1]);
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('a direct call of a tool skips the handlers', async () => {
    const { tool, gate, asked } = gated('no', 'yes');
    const modes: string[] = [];
    const watch: Handler = {
      name: 'watch',
      beforeToolCall: (event) => ({ type: 'proceed', reason: `${modes.push(event.mode)}` }),
    };
    const warnings: string[] = [];
    const agent = makeAgent({
      model: scriptedModel([call('t')]),
      tools: [tool],
      interventions: [watch, gate],
      warn: ({ message }) => void warnings.push(message),
    });

    expect((await agent.tool.t?.({}))?.status).toBe('error');
    expect((await agent.tool.t?.({ a: 1 }))?.status).toBe('success');
    expect([modes, asked.length, tool.runs]).toEqual([['direct', 'direct'], 2, [{ a: 1 }]]);
    expect((await agent.tool.t?.({}, { unguarded: true, record: false }))?.status).toBe('success');
    expect(warnings).toEqual(['t was called past all interventions, as its caller asked for.']);
    expect(agent.messages).toHaveLength(8);
  });

  it('a direct call slips in while the agent waits for a person, or leaves a question behind', async () => {
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t')]),
      tools: [tool],
      interventions: [new HumanInTheLoop()],
    });

    await expect(agent.tool.t?.({})).rejects.toThrow('a direct call cannot wait for one');
    expect(await agent.interrupts()).toEqual([]);
    await agent.invoke('go');
    await expect(agent.tool.t?.({})).rejects.toThrow('waits for answers');
    await expect(makeAgent({ model: scriptedModel() }).tool.ghost?.({})).rejects.toThrow('no tool called');
    expect(tool.runs).toEqual([]);
  });

  it('a handler that denies before and guides after makes the loop endless', async () => {
    const both: Handler = { name: 'both', beforeModelCall: () => deny('no'), afterModelCall: () => guide('again') };
    const model = scriptedModel();

    expect((await loop({ model, interventions: [both] })).type).toBe('finished');
    expect(model.requests).toEqual([]);
  });

  it('a second invocation starts while one is running', async () => {
    const answer = deferred<boolean>();
    const { tool } = gated();
    const gate = new HumanInTheLoop({ ask: () => answer.promise });
    const agent = makeAgent({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate] });
    const first = agent.invoke('go');

    await expect(agent.invoke('me too')).rejects.toThrow('is busy with another invocation');
    answer.resolve(true);
    expect((await first).stopReason).toBe('endTurn');
  });
});
