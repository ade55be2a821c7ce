import { describe, expect, it } from 'vitest';
import {
  AgentResultEvent,
  type BeforeInvocationEvent,
  createHookRegistry,
  deny,
  guide,
  type Handler,
  MessageAddedEvent,
  proceed,
} from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { loop, says, scriptedModel } from '../../../support/scripted-model.ts';

/** Refuses whatever is said while it is shut. */
function door(): Handler & { shut: boolean } {
  return {
    name: 'door',
    shut: true,
    beforeInvocation(_event: BeforeInvocationEvent) {
      return this.shut ? deny('closed') : proceed();
    },
  };
}

describe('a refused invocation', () => {
  it.each([
    ['storePair', ['user: hello', 'assistant: DENIED: closed', 'user: hello', 'assistant: DENIED: closed']],
    ['storeNothing', []],
  ] as const)('leaves its input and the refusal, or neither (%s) (BEY-12)', async (deniedInvocation, kept) => {
    const closed = door();
    const one = agent({ model: scriptedModel('Hi.'), interventions: [closed], deniedInvocation });
    await one.invoke('hello');
    const result = await one.invoke('hello');

    expect(linesOf(one.messages)).toEqual(kept);
    expect(result.endedBy).toEqual({ handler: 'door', text: 'DENIED: closed' });
    expect(result.toString()).toBe('DENIED: closed');

    closed.shut = false;
    await one.invoke('hello');
    expect(linesOf(one.messages)).toEqual([...kept, 'user: hello', 'assistant: Hi.']);
  });

  it('names the handlers whose advice ended it (BEY-12)', async () => {
    const advising = (name: string): Handler => ({ name, beforeInvocation: () => guide('Say more.') });
    const one = agent({ model: scriptedModel(), interventions: [advising('first'), advising('second')] });

    expect((await one.invoke('hello')).endedBy).toEqual({
      handler: 'first, second',
      text: 'GUIDANCE: [first] Say more.\n[second] Say more.',
    });
  });

  it('is announced as a result also when nothing of it is stored (BEY-12)', async () => {
    const told: string[] = [];
    const hooks = createHookRegistry();
    hooks.addCallback(MessageAddedEvent, ({ type }) => void told.push(type));
    hooks.addCallback(AgentResultEvent, ({ type }) => void told.push(type));
    const model = scriptedModel();
    await loop({
      model,
      hooks,
      interventions: [door()],
      deniedInvocation: 'storeNothing',
      state: { messages: [] },
      input: [says('hello')],
    });

    expect([told, model.requests]).toEqual([['agentResult'], []]);
  });
});
