import { expect, it } from 'vitest';
import { confirm, type Handler, HumanInTheLoop } from '../../../../interventions/index.ts';
import { agent, reply } from '../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

const trusts = [
  ['conversation', 'concurrent'],
  ['session', 'concurrent'],
  ['conversation', 'sequential'],
] as const;

it.each(trusts)(
  'an open question is answered by its own answer, also where its tool is trusted meanwhile (%s, %s) (P55)',
  async (scope, toolExecutor) => {
    const tool = witness('t');
    const made = agent({
      model: scriptedModel([call('t', 1, 'a'), call('t', 2, 'b'), call('t', 3, 'c')], [call('t', 4, 'd')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop({ enableTrust: { scope } })],
      toolExecutor,
      profile: 'strict',
    });
    const [one, two, three] = (await made.invoke('go')).interrupts;

    const { interrupts } = await made.invoke([reply(one, 't')]);
    expect(interrupts.map(({ id }) => id)).toEqual([two?.id, three?.id]);
    const { stopReason } = await made.invoke([reply(two, false), reply(three, true)]);

    expect([stopReason, tool.runs]).toEqual(['endTurn', [1, 3, 4]]);
  },
);

it('a call of a trusted tool is not asked about by that handler because another one has asked (P55)', async () => {
  const tool = witness('t');
  const other: Handler = { name: 'other', beforeToolCall: () => confirm('Other?') };
  const made = agent({
    model: scriptedModel([call('t', 1, 'a')], 'Done.'),
    tools: [tool],
    interventions: [new HumanInTheLoop({ isTrusted: () => true }), other],
    profile: 'strict',
  });
  const [asked] = (await made.invoke('go')).interrupts;
  expect(asked?.name).toBe('other');

  const { stopReason } = await made.invoke([reply(asked, true)]);

  expect([stopReason, tool.runs]).toEqual(['endTurn', [1]]);
});
