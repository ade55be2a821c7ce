import { describe, expect, it } from 'vitest';
import { AfterToolsEvent } from '../../../../interventions/index.ts';
import { agent, callbacks, linesOf } from '../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

/** An agent whose turn a callback ends after its first tools. */
function endingWith(endTurn: unknown) {
  const hooks = callbacks();
  hooks.addCallback(AfterToolsEvent, (event) => void Object.assign(event, { endTurn }));
  const model = scriptedModel([call('look')], 'Later.');
  return { model, made: agent({ model, tools: [witness('look')], hooks: [hooks] }) };
}

describe('afterTools.endTurn', () => {
  it.each<[string, unknown]>([
    ['an empty text', ''],
    ['a blank text', ' \n'],
    ['no blocks', []],
    ['blocks of empty text', [{ type: 'text', text: '' }]],
  ])(
    'a callback ends the turn after the tools with %s and stores no empty message (REF-10, HK-14)',
    async (_what, endTurn) => {
      const { made, model } = endingWith(endTurn);
      const result = await made.invoke('go');

      expect(result.stopReason).toBe('endTurn');
      expect(model.requests).toHaveLength(1);
      expect(linesOf(made.messages)).toEqual(['user: go', 'assistant: [look look-1]', 'user: [look-1 success]']);
      expect(result.lastMessage).toEqual(made.messages[1]);
      expect(result.endedBy).toBeUndefined();
      expect(`${await made.invoke('go on')}`).toBe('Later.');
    },
  );

  it('a callback that ends the turn stores the blocks that say something, without the empty ones beside them (REF-10, HK-14)', async () => {
    const { made } = endingWith([
      { type: 'text', text: '' },
      { type: 'text', text: 'Enough.' },
    ]);
    const { endedBy } = await made.invoke('go');

    expect(made.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Enough.' }]);
    expect(endedBy).toEqual({ handler: 'hook', text: 'Enough.' });
  });
});
