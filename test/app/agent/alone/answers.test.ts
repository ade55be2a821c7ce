import { describe, expect, it } from 'vitest';
import { canonical, confirm, HumanInTheLoop, type Json } from '../../../../interventions/index.ts';
import type { Settlement } from '../../../../interventions/pipeline/settlement.ts';
import { reply } from '../../../support/agent.ts';
import { calling } from '../../../support/calling.ts';
import { call, scriptedModel } from '../../../support/scripted-model.ts';

it('an input that is nested as deeply as is allowed is asked about, and runs once it is approved (BEY-40)', async () => {
  let input: Json = {};
  for (let depth = 1; depth < 500; depth += 1) input = { in: input };
  const model = scriptedModel([call('t', input)], 'Done.');
  const { made, tool } = calling({ model, interventions: [new HumanInTheLoop()] });
  const asking = made();

  const { interrupts } = await asking.invoke('go');
  await asking.invoke([reply(interrupts[0], true)]);

  expect([interrupts.length, tool.runs.length]).toEqual([1, 1]);
});

describe('an answer', () => {
  it('of a yes that is no decision is refused, and the error says which answers count (BEY-38)', async () => {
    const { made, tool } = calling({ interventions: [new HumanInTheLoop()], profile: 'strict' });
    const asking = made();
    const { interrupts } = await asking.invoke('go');

    await expect(asking.invoke([reply(interrupts[0], { approved: true })])).rejects.toThrow(
      'Answer with one of true, false',
    );
    expect(tool.runs).toEqual([]);
  });

  it('of an unknown decision leaves the question open, which says what the decisions are (BEY-38)', async () => {
    const { made, tool } = calling({ interventions: [new HumanInTheLoop()] });
    const asking = made();
    const { interrupts } = await asking.invoke('go');

    const still = await asking.invoke([reply(interrupts[0], { decision: 'approved' })]);

    expect(still.interrupts[0]?.problem).toContain('"approved" is not a decision. The decisions are approve, deny');
    expect(tool.runs).toEqual([]);
  });

  it('of a decision that only the handler knows counts beside the answers it lists (BEY-38)', async () => {
    const settle = (said: Json): Settlement =>
      canonical(said) === canonical({ decision: 'escalate' })
        ? { type: 'approved' }
        : { type: 'refused', because: 'person', text: 'no' };
    const asks = { name: 'h', beforeToolCall: () => confirm('Run it?', { settle, answers: [true, false] }) };
    const { made, tool } = calling({ interventions: [asks] });
    const asking = made();
    const { interrupts } = await asking.invoke('go');

    await asking.invoke([reply(interrupts[0], { decision: 'escalate' })]);

    expect(tool.runs).toHaveLength(1);
  });

  it.each([{ editedinput: { safe: true } }, { approver: 7 }])(
    'that approves with a member that is not understood leaves the question open, which says why: %j (BEY-23, BEY-38)',
    async (odd) => {
      const { made, tool } = calling({ interventions: [new HumanInTheLoop()] });
      const asking = made();
      const { interrupts } = await asking.invoke('go');

      const still = await asking.invoke([reply(interrupts[0], { decision: 'approve', ...odd })]);

      expect(still.interrupts[0]?.problem).toContain(
        `The member ${Object.keys(odd)[0]} of an answer is not understood`,
      );
      expect(tool.runs).toEqual([]);
    },
  );

  it('of trust may hold members that only the own function for judging trust reads (BEY-23, BEY-38)', async () => {
    const wide = (scope: string): Json => ({ decision: 'trust', scope });
    const evaluateTrust = (said: Json) => canonical(said) === canonical(wide('thread'));
    const { made, tool } = calling({ interventions: [new HumanInTheLoop({ enableTrust: true, evaluateTrust })] });
    const asking = made();
    const { interrupts } = await asking.invoke('go');

    await asking.invoke([reply(interrupts[0], wide('thread'))]);

    expect(tool.runs).toHaveLength(1);
  });
});
