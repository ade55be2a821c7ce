import { describe, expect, it } from 'vitest';
import type { LoopTool } from '../../../../app/agent/ports.ts';
import {
  BeforeToolCallEvent,
  type Handler,
  HumanInTheLoop,
  type InvocationState,
  type Json,
  proceed,
} from '../../../../interventions/index.ts';
import { agent, callbacks, reply } from '../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

/** A tool that keeps each invocation state it is run with. */
function stateKeeper(name: string): LoopTool & { readonly states: InvocationState[] } {
  const states: InvocationState[] = [];
  return {
    ...witness(name),
    run: async (_input, { invocationState }) => {
      states.push(invocationState);
      invocationState[name] = 'was here';
      return 'ok';
    },
    states,
  };
}

describe('invocationState', () => {
  it('the invocation state is the object of the caller in tools, callbacks and handlers, and comes back with what they wrote (REF-1, AG-7)', async () => {
    const invocationState: InvocationState = { requester: 'ANN' };
    const seen: InvocationState[] = [];
    const tool = stateKeeper('look');
    const hooks = callbacks();
    hooks.addCallback(BeforeToolCallEvent, (event) => void seen.push(event.invocationState));
    const handler: Handler = {
      name: 'handler',
      beforeToolCall: (event) => {
        seen.push(event.invocationState);
        return proceed();
      },
    };
    const model = scriptedModel([call('look')], 'Done.');
    const made = agent({ model, tools: [tool], hooks: [hooks], interventions: [handler] });
    const result = await made.invoke('go', { invocationState });

    expect(tool.states[0]).toBe(invocationState);
    expect(seen).toHaveLength(2);
    for (const state of seen) expect(state).toBe(invocationState);
    expect(result.invocationState).toBe(invocationState);
    expect(invocationState).toEqual({ requester: 'ANN', look: 'was here' });
  });

  it('the invocation state is the same object in every tool of an invocation whose caller gave none (REF-1, AG-7)', async () => {
    const [one, other] = [stateKeeper('one'), stateKeeper('other')];
    const made = agent({ model: scriptedModel([call('one'), call('other')], 'Done.'), tools: [one, other] });
    const result = await made.invoke('go');

    expect(one.states[0]).toBe(result.invocationState);
    expect(other.states[0]).toBe(result.invocationState);
  });

  it('the invocation state reaches the tools and handlers of an agent that is used as a tool (REF-1, AG-7)', async () => {
    const invocationState: InvocationState = { requester: 'ANN' };
    const requesters: unknown[] = [];
    const tool = stateKeeper('deploy');
    const handler: Handler = {
      name: 'handler',
      beforeToolCall: (event) => {
        requesters.push(event.invocationState.requester);
        return proceed();
      },
    };
    const worker = agent({
      model: scriptedModel([call('deploy')], 'Deployed.'),
      name: 'Ops',
      tools: [tool],
      interventions: [handler],
    });
    const lead = agent({ model: scriptedModel([call('Ops', { input: 'deploy' })], 'Done.'), tools: [worker] });
    await lead.invoke('go', { invocationState });

    expect(tool.states[0]).toBe(invocationState);
    expect(requesters).toEqual(['ANN']);
    expect(invocationState.deploy).toBe('was here');
  });

  it('the invocation state of a resume reaches an agent that is used as a tool and had paused (REF-1, AG-7)', async () => {
    const tool: LoopTool & { readonly states: InvocationState[] } = {
      ...stateKeeper('deploy'),
      run: async (_input, { invocationState, interrupt }) => {
        interrupt({ name: 'sure' });
        tool.states.push(invocationState);
        return 'ok';
      },
    };
    const worker = agent({ model: scriptedModel([call('deploy')], 'Deployed.'), name: 'Ops', tools: [tool] });
    const lead = agent({ model: scriptedModel([call('Ops', { input: 'deploy' })], 'Done.'), tools: [worker] });
    const { interrupts } = await lead.invoke('go', { invocationState: { requester: 'ANN' } });
    const later: InvocationState = { requester: 'BEN' };
    await lead.invoke([reply(interrupts[0], true)], { invocationState: later });

    expect(tool.states).toHaveLength(1);
    expect(tool.states[0]).toBe(later);
  });

  it('the invocation state of a direct call reaches the tool (REF-1, AG-7)', async () => {
    const invocationState: InvocationState = {};
    const tool = stateKeeper('look');
    await agent({ model: scriptedModel(), tools: [tool] }).tool.look?.({}, { invocationState });

    expect(tool.states[0]).toBe(invocationState);
  });

  it.each<[string, Json, number]>([
    ['trust', 't', 1],
    ['a refusal', false, 0],
  ])(
    'one invocation state for two invocations does not carry %s from one to the other (BEY-21, BEY-24)',
    async (_what, said, runs) => {
      const invocationState: InvocationState = { requester: 'ANN' };
      const tool = witness('deploy');
      const made = agent({
        model: scriptedModel([call('deploy', {}, 'd1')], 'Done.', [call('deploy', {}, 'd2')]),
        tools: [tool],
        interventions: [new HumanInTheLoop({ enableTrust: { scope: 'invocation' } })],
      });
      const { interrupts } = await made.invoke('go', { invocationState });
      await made.invoke([reply(interrupts[0], said)], { invocationState });
      const again = await made.invoke('once more', { invocationState });

      expect(again.interrupts).toHaveLength(1);
      expect(tool.runs).toHaveLength(runs);
    },
  );
});
