import { describe, expect, it } from 'vitest';
import { createMemorySession } from '../../../../app/agent/alone/memory/session.ts';
import {
  BeforeModelCallEvent,
  type Handler,
  InitializedEvent,
  type ObservedAgent,
} from '../../../../interventions/index.ts';
import { agent, callbacks, kindsOf, linesOf } from '../../../support/agent.ts';
import { scriptedModel, witness } from '../../../support/scripted-model.ts';

/** Says what it sees of an agent, in order. */
function observing() {
  const seen: string[] = [];
  const hooks = callbacks();
  hooks.addCallback(InitializedEvent, ({ agent: { messages } }) => void seen.push(`ready ${messages.length}`));
  const observer: Handler = {
    name: 'observer',
    observeAgent: ({ id, toolNames, hooks: registry }: ObservedAgent) => {
      seen.push(`met ${id} with ${toolNames.join()}`);
      registry.addCallback(BeforeModelCallEvent, () => void seen.push('model'));
    },
  };
  return { seen, hooks, observer };
}

describe('initialize()', () => {
  it('initialize() loads the tools, shows the agent to its observers and tells InitializedEvent, in this order and once (REF-15, HND-8)', async () => {
    const { seen, hooks, observer } = observing();
    const made = agent({
      model: scriptedModel('One.', 'Two.'),
      tools: [{ loadTools: async () => [witness('fetched')] }],
      hooks: [hooks],
      interventions: [observer],
    });
    await made.initialize();
    expect(seen).toEqual(['met default with fetched', 'ready 0']);
    await made.initialize();
    await made.invoke('a');
    await made.invoke('b');

    expect(seen).toEqual(['met default with fetched', 'ready 0', 'model', 'model']);
  });

  it('initialize() tells InitializedEvent when the session is restored (REF-15, HND-8)', async () => {
    const sessionManager = createMemorySession();
    await agent({ model: scriptedModel('One.'), sessionManager }).invoke('a');
    const { seen, hooks, observer } = observing();
    const again = agent({ model: scriptedModel(), sessionManager, hooks: [hooks], interventions: [observer] });
    await again.initialize();

    expect(linesOf(again.messages)).toEqual(['user: a', 'assistant: One.']);
    expect(seen).toEqual(['met default with ', 'ready 2']);
  });

  it('the stream of the first invocation announces the initialized agent only if initialize() has not (REF-15, AG-42)', async () => {
    const early = agent({ model: scriptedModel('One.') });
    const late = agent({ model: scriptedModel('One.') });
    await early.initialize();
    await late.interrupts();

    expect(await kindsOf(early.stream('a'))).not.toContain('initialized');
    expect((await kindsOf(late.stream('a')))[0]).toBe('initialized');
  });

  it('initialize() fails as a callback of InitializedEvent does, and the agent can be invoked afterwards (REF-15, HND-8)', async () => {
    const hooks = callbacks();
    hooks.addCallback(InitializedEvent, () => {
      throw new Error('not ready');
    });
    const made = agent({ model: scriptedModel('One.'), hooks: [hooks] });

    await expect(made.initialize()).rejects.toThrow('not ready');
    expect(`${await made.invoke('a')}`).toBe('One.');
  });
});
