import { describe, expect, it } from 'vitest';
import {
  type BeforeToolCallEvent,
  CHANGED,
  confirm,
  type Handler,
  HumanInTheLoop,
  proceed,
  transform,
  type WhenChanged,
} from '../../../../interventions/index.ts';
import { agent as makeAgent, reply } from '../../../support/agent.ts';
import { strictly } from '../../../support/profile.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

/** Each look at a call finds another input. */
function restless(): Handler {
  let looks = 0;
  return {
    name: 'restless',
    beforeToolCall: () => {
      looks += 1;
      return transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { looks } }));
    },
  };
}

const changing = ['askAgain', 'deny'] as const satisfies readonly WhenChanged[];

describe('a call that differs from what was approved', () => {
  it.each(changing)('is shown again or denied after a pause (%s) (BEY-2)', async (whenChanged) => {
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop(), restless()],
      whenChanged,
    });
    await agent.invoke('go');
    const [asked] = await agent.interrupts();
    await agent.invoke([reply(asked, 'yes')]);

    const waiting = await agent.interrupts();
    expect(tool.runs).toEqual([]);
    expect(waiting).toHaveLength(whenChanged === 'deny' ? 0 : 1);
    const results = resultsOf(agent.messages);
    expect(results).toEqual(whenChanged === 'deny' ? [`t-1: error ${CHANGED}`] : []);
  });

  it.each(changing)(
    'is shown again or denied after an edit that did not stay (%s) (BEY-2)',
    strictly('BEY-15', async (whenChanged) => {
      let asked = 0;
      const tool = witness('t');
      const ask = () => {
        asked += 1;
        return { decision: 'approve', ...(asked === 1 ? { editedInput: { edited: true } } : {}) };
      };
      const outcome = await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [tool],
        interventions: [new HumanInTheLoop({ ask }), restless()],
        whenChanged,
      });

      expect([asked, tool.runs]).toEqual(whenChanged === 'deny' ? [1, []] : [2, [{ looks: 2 }]]);
      expect(resultsOf(outcome.state.messages)).toEqual([
        whenChanged === 'deny' ? `t-1: error ${CHANGED}` : 't-1: success t is done',
      ]);
    }),
  );

  it.each(changing)('is shown again or denied when it changes under the question (%s) (BEY-2)', async (whenChanged) => {
    const shown: string[] = [];
    const tool = witness('t');
    const ask = (_prompt: string, { toolUse }: { readonly toolUse: { readonly name: string } }) => {
      shown.push(toolUse.name);
      Object.assign(tool, { name: 'renamed' });
      return true;
    };
    const gate: Handler = { name: 'gate', gate: true, beforeToolCall: () => confirm('Run?', { ask }) };
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [gate],
      whenChanged,
    });

    expect(shown).toEqual(whenChanged === 'deny' ? ['t'] : ['t', 'renamed']);
    expect(tool.runs).toHaveLength(whenChanged === 'deny' ? 0 : 1);
    expect(resultsOf(outcome.state.messages)[0]).toContain(whenChanged === 'deny' ? CHANGED : 'success');
  });

  it('is asked about when it changes before any decision, even where changes are denied (BEY-2)', async () => {
    const agent = makeAgent({
      model: scriptedModel([call('t', {}, 'one'), call('t', {}, 'two')], 'Done.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop(), restless()],
      whenChanged: 'deny',
    });
    await agent.invoke('go');
    const [one, two] = await agent.interrupts();
    await agent.invoke([reply(one, 'yes')]);

    const waiting = await agent.interrupts();
    expect(waiting.map(({ toolUseId }) => toolUseId)).toEqual(['two']);
    expect(waiting[0]?.id).not.toBe(two?.id);
  });

  it('is another one: a call that did not change runs after a yes, where changes are denied (BEY-2)', async () => {
    const tool = witness('t');
    const ruleFor = () => ({ effect: 'asked', approvers: ['ann', 'ben'], selfApproval: true, quorum: 2 }) as const;
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop({ ruleFor })],
      whenChanged: 'deny',
    });
    const first = await agent.invoke('go');
    const second = await agent.invoke([reply(first.interrupts[0], { decision: 'approve', approver: 'ann' })]);
    await agent.invoke([reply(second.interrupts[0], { decision: 'approve', approver: 'ben' })]);

    expect(tool.runs).toEqual([{}]);
  });

  it(
    'is not denied for a handler that did not ask before it changed (BEY-2)',
    strictly('BEY-15', async () => {
      const second: Handler = {
        name: 'second',
        beforeToolCall: ({ toolUse }) => (JSON.stringify(toolUse.input) === '{}' ? proceed() : confirm('Edited?')),
      };
      const agent = makeAgent({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        interventions: [new HumanInTheLoop(), second],
        whenChanged: 'deny',
      });
      const { interrupts } = await agent.invoke('go');
      const edit = { decision: 'approve', editedInput: { edited: true } };
      const after = await agent.invoke([reply(interrupts[0], edit)]);

      expect(after.interrupts.map(({ reason }) => reason)).toEqual(['Edited?']);
    }),
  );
});
