import { describe, expect, it } from 'vitest';
import { type DecisionRule, HumanInTheLoop, type Json } from '../../../interventions/index.ts';
import { agent, reply } from '../../support/agent.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../../support/scripted-model.ts';

/** One call of `t` for ANN, about which these answers are given in turn. */
async function answered(rule: DecisionRule | undefined, answers: readonly Json[], groups: readonly string[] = []) {
  const tool = witness('t');
  const left = [...answers];
  const problems: (string | undefined)[] = [];
  const gate = new HumanInTheLoop({
    ruleFor: () => rule,
    groupsOf: () => groups,
    ask: (_prompt, { problem }) => {
      problems.push(problem);
      return left.shift();
    },
  });
  const outcome = await loop({
    model: scriptedModel([call('t')], 'Done.'),
    tools: [tool],
    invocationState: { requester: 'ANN' },
    interventions: [gate],
  });
  return { runs: tool.runs, problems: problems.slice(1), result: resultsOf(outcome.state.messages)[0] };
}

const by = (approver: string, more: object = {}) => ({ decision: 'approve', approver, ...more });
const two: DecisionRule = { effect: 'guarded', approvers: ['BEN', 'CAT'], quorum: 2 };

describe('the people who answer', () => {
  it('may be any person about a tool without a rule (BEY-20)', async () => {
    expect((await answered(undefined, [true])).runs).toHaveLength(1);
    expect((await answered(undefined, [by('ZOE')])).runs).toHaveLength(1);
  });

  it('may be a member of one group, and of no other (BEY-20)', async () => {
    const rule: DecisionRule = { effect: 'guarded', approverGroups: ['ops'] };

    expect(await answered(rule, [by('BEN')], ['ops'])).toMatchObject({ runs: [{}], problems: [] });
    expect(await answered(rule, [by('BEN')], ['sales'])).toMatchObject({
      runs: [],
      problems: ['You are not one of the people who can decide about this call.'],
    });
  });

  it.each(['deny', 'answered'])(
    'are approvers also where they answer %s, which ends the call (P31, BEY-20)',
    async (decision) => {
      const rule: DecisionRule = { effect: 'guarded', approvers: ['BEN'] };
      const words = { decision, comment: 'It is done already.' };
      const end = await answered(rule, [words, { ...words, approver: 'EVE' }, by('BEN')]);

      expect(end).toMatchObject({
        runs: [{}],
        problems: [
          'This question needs to know who answers it.',
          'You are not one of the people who can decide about this call.',
        ],
      });
    },
  );

  it('refuse alone where several must approve, even after one of them has approved (BEY-20)', async () => {
    const no = { decision: 'deny', approver: 'CAT', comment: 'not today' };

    expect((await answered(two, [no, by('BEN'), by('CAT')])).result).toContain('A person refused this tool call.');
    expect((await answered(two, [by('BEN'), no])).result).toContain('"not today"');
  });

  it('are not several because one of them is spelt in several ways (BEY-20)', async () => {
    const rule: DecisionRule = { effect: 'guarded', approverGroups: ['ops'], quorum: 2 };

    expect(await answered(rule, [by('ben'), by('Ben'), by('BEN ')], ['ops'])).toMatchObject({
      runs: [],
      problems: [undefined, expect.stringContaining('counts already'), expect.stringContaining('counts already')],
    });
    expect((await answered({ ...two, approvers: ['ben', 'Ben'] }, [by('ben'), by('Ben')])).result).toContain(
      'No person can approve',
    );
  });

  it('are not another person because their id is written in other letters of the same look (BEY-20)', async () => {
    const rule: DecisionRule = { effect: 'guarded', approvers: ['ＡＮＮ'] };

    expect((await answered(rule, [by('ＡＮＮ')])).runs).toEqual([]);
  });

  it('are the requester alone where the rule names no approver, and no person with a similar id (P31)', async () => {
    const rule: DecisionRule = { effect: 'asked' };

    expect((await answered(rule, [by('ann')])).runs).toEqual([]);
    expect((await answered(rule, [by('ANN')])).runs).toHaveLength(1);
  });

  it('may refuse after an approval of their own (BEY-20)', async () => {
    expect((await answered(two, [by('BEN'), { decision: 'deny', approver: 'BEN' }])).result).toContain('refused');
  });

  it('may not decide together with a person who was among them only when that person approved (BEY-20)', async () => {
    let members = ['BEN', 'CAT', 'ZOE'];
    const tool = witness('t');
    const gate = new HumanInTheLoop({
      ruleFor: () => ({ effect: 'guarded', approverGroups: ['ops'], quorum: 2 }),
      groupsOf: (approver) => (members.includes(approver) ? ['ops'] : []),
    });
    const model = scriptedModel([call('t')], 'Done.');
    const gated = agent({ model, tools: [tool], interventions: [gate] });
    const invocationState = { requester: 'ANN' };
    await gated.invoke('go', { invocationState });
    const says = async (approver: string) => {
      const [open] = await gated.interrupts();
      return gated.invoke([reply(open, by(approver))], { invocationState });
    };
    await says('BEN');
    members = ['CAT', 'ZOE'];
    await says('CAT');

    expect(tool.runs).toEqual([]);
    await says('ZOE');
    expect(tool.runs).toHaveLength(1);
  });

  it('may edit where one approval is enough (BEY-23)', async () => {
    const rule: DecisionRule = { effect: 'guarded', approvers: ['BEN'] };

    expect((await answered(rule, [by('BEN', { editedInput: { a: 2 } })])).runs).toEqual([{ a: 2 }]);
    expect((await answered({ ...rule, quorum: 1 }, [by('BEN', { editedInput: { a: 2 } })])).runs).toEqual([{ a: 2 }]);
  });

  it.each([
    ['expired', 'EXPIRED: Nobody answered in time'],
    ['cancelled', 'CANCELLED: The question was withdrawn'],
  ])('give no decision when the question ended without one (%s)', async (decision, words) => {
    expect(await answered(two, [{ decision }])).toMatchObject({ problems: [], result: expect.stringContaining(words) });
  });
});
