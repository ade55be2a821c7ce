import { describe, expect, it } from 'vitest';
import { HumanInTheLoop } from '../../../../interventions/index.ts';
import { reply } from '../../../support/agent.ts';
import { calling } from '../../../support/calling.ts';
import { resultsOf, scriptedModel } from '../../../support/scripted-model.ts';

describe('an answer', () => {
  it.each<[string, object, string]>([
    ['of an unknown decision', { decision: 'approved' }, 'where decision is one of approve, deny'],
    ['of a yes that is no decision', { approved: true }, 'Answer with one of true, false'],
  ])('%s is refused, and says which answers count (BEY-38)', async (_what, said, message) => {
    const { made, tool } = calling({ interventions: [new HumanInTheLoop()], profile: 'strict' });
    const asking = made();
    const { interrupts } = await asking.invoke('go');

    await expect(asking.invoke([reply(interrupts[0], JSON.parse(JSON.stringify(said)))])).rejects.toThrow(message);
    expect(tool.runs).toEqual([]);
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
});

describe('an agent that is made again without the handler that asked', () => {
  const asked = async () => {
    const { made, tool } = calling({ interventions: [new HumanInTheLoop({ answers: [true, false, 'sure'] })] });
    const asking = made();
    const { interrupts } = await asking.invoke('go');
    const { made: again } = calling({ tools: [tool], model: scriptedModel('Done.'), snapshot: asking.snapshot() });
    return { again: again(), only: interrupts[0], tool };
  };

  it.each([false, { decision: 'deny' }, 'sure'])(
    'runs no call that a person answered with %j (INT-27, BEY-14)',
    async (said) => {
      const { again, only, tool } = await asked();

      await again.invoke([reply(only, said)]);

      expect(tool.runs).toEqual([]);
      expect(resultsOf(again.messages)[0]).toMatch(/A person refused this tool call|no handler of that name/);
    },
  );

  it('runs no call whose question was taken back (INT-27, BEY-7)', async () => {
    const { again, tool } = await asked();

    await again.dismiss('not today');
    await again.invoke();

    expect(tool.runs).toEqual([]);
    expect(resultsOf(again.messages)[0]).toContain('not today');
  });

  it('runs the call that a person approved, once (INT-27)', async () => {
    const { again, only, tool } = await asked();

    await again.invoke([reply(only, true)]);

    expect(tool.runs).toHaveLength(1);
  });
});
