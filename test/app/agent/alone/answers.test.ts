import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  canonical,
  confirm,
  type Handler,
  HumanInTheLoop,
  type Json,
  proceed,
} from '../../../../interventions/index.ts';
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

describe('an agent that is made again without the handler that asked', () => {
  const asked = async () => {
    const { made, tool } = calling({ interventions: [new HumanInTheLoop()] });
    const asking = made();
    const { interrupts } = await asking.invoke('go');
    const again = (interventions: readonly Handler[], snapshot = asking.snapshot()) =>
      calling({ tools: [tool], model: scriptedModel('Done.'), snapshot, interventions }).made();
    return { again, only: interrupts[0], tool };
  };
  const other = { name: 'other', beforeToolCall: () => proceed() };

  it.each([true, false, { decision: 'deny' }])(
    'refuses to go on with the answer %j, says whose it is, and uses it once the handler is back (INT-27, BEY-40)',
    async (said) => {
      const { again, only, tool } = await asked();
      const without = again([other]);

      await expect(without.invoke([reply(only, said)])).rejects.toThrow(
        'The handler "countersign:human-in-the-loop" asked a question here, and this agent lacks it',
      );
      expect(tool.runs).toEqual([]);

      await again([new HumanInTheLoop()], without.snapshot()).invoke([reply(only, said)]);
      expect(tool.runs).toHaveLength(said === true ? 1 : 0);
    },
  );

  it('refuses to go on once the question was taken back (INT-27, BEY-7)', async () => {
    const { again, tool } = await asked();
    const without = again([]);
    await without.dismiss('not today');

    await expect(without.invoke()).rejects.toThrow(ConfigurationError);
    expect(tool.runs).toEqual([]);
  });

  it('goes on from a snapshot of a version that did not store who asked (INT-27)', async () => {
    const { again, only, tool } = await asked();
    const { state, ...rest } = again([]).snapshot();
    const interrupts = state.interrupts?.map(({ handler: _handler, ...interrupt }) => interrupt) ?? [];

    await again([new HumanInTheLoop()], { ...rest, state: { ...state, interrupts } }).invoke([reply(only, true)]);

    expect(tool.runs).toHaveLength(1);
  });
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
