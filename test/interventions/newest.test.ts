import { describe, expect, it } from 'vitest';
import { type Handler, HumanInTheLoop, type InvocationState, ModelSteeringHandler } from '../../interventions/index.ts';
import { createNewest } from '../../interventions/newest.ts';
import { agent } from '../support/agent.ts';
import { call, scriptedModel, witness } from '../support/scripted-model.ts';

describe('the memory of answers', () => {
  it('keeps the newest ones, up to its limit (BEY-30)', () => {
    const newest = createNewest<number>(2);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['b', 3],
      ['c', 4],
    ] as const)
      newest.set(key, value);

    expect(['a', 'b', 'c'].map(newest.get)).toEqual([undefined, 3, 4]);
  });

  it.each<[string, (isOpen: () => boolean) => Handler]>([
    ['a classifier', (isOpen) => new HumanInTheLoop({ classifier: () => ({ requiresHumanInTheLoop: !isOpen() }) })],
    [
      'a model that steers',
      (isOpen) => {
        const model = async () => ({ decision: isOpen() ? 'proceed' : 'interrupt', reason: 'Judged.' });
        return new ModelSteeringHandler({ systemPrompt: 'Be careful.', model });
      },
    ],
  ])('of %s does not pass from one agent to another that has the same handler (BEY-30, H-18)', async (_what, make) => {
    const tool = witness('t');
    let requester: unknown;
    const handler = make(() => requester === 'admin');
    const ask = (invocationState: InvocationState) => {
      requester = invocationState.requester;
      const one = agent({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [handler] });
      return one.invoke('go', { invocationState });
    };
    await ask({ requester: 'admin' });
    const { interrupts } = await ask({ requester: 'guest' });

    expect(interrupts).toHaveLength(1);
    expect(tool.runs).toHaveLength(1);
  });
});
