import { describe, expect, it } from 'vitest';
import { type Classifier, HumanInTheLoop } from '../../../interventions/index.ts';
import { agent, reply } from '../../support/agent.ts';
import { callEvent } from '../../support/event.ts';
import { call, scriptedModel, witness } from '../../support/scripted-model.ts';

describe('a classifier', () => {
  it.each([true, false])(
    'does not open a call again that waits in another process, whose answer (%s) counts (H-18)',
    async (answer) => {
      const tool = witness('t');
      const parts = { model: scriptedModel([call('t')], 'Done.'), tools: [tool] };
      const gate = (requiresHumanInTheLoop: boolean) =>
        new HumanInTheLoop({ classifier: () => ({ requiresHumanInTheLoop }) });
      const first = agent({ ...parts, interventions: [gate(true)] });
      const { interrupts } = await first.invoke('go');

      const second = agent({ ...parts, interventions: [gate(false)], snapshot: first.snapshot() });
      await second.invoke([reply(interrupts[0], answer)]);

      expect(tool.runs).toHaveLength(answer ? 1 : 0);
    },
  );

  it('judges a call once for each input (H-18, BEY-22, BEY-30)', async () => {
    const judged: unknown[] = [];
    const classifier: Classifier = (event) => {
      judged.push(event.toolUse.input);
      return { requiresHumanInTheLoop: JSON.stringify(event.toolUse.input) !== '{}' };
    };
    const gate = new HumanInTheLoop({ classifier });
    const event = callEvent();
    const kinds: string[] = [];
    for (const input of [{}, {}, { to: 'production' }, { to: 'production' }]) {
      event.toolUse.input = input;
      kinds.push((await gate.beforeToolCall(event)).type);
    }

    expect(kinds).toEqual(['proceed', 'proceed', 'confirm', 'confirm']);
    expect(judged).toEqual([{}, { to: 'production' }]);
  });
});
