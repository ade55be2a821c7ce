import { expect, it } from 'vitest';
import type { AgentOptions } from '../../../../app/agent/alone/options.ts';
import {
  AfterToolCallEvent,
  type AskExtras,
  type ConfirmingHandler,
  confirm,
  HumanInTheLoop,
} from '../../../../interventions/index.ts';
import { agent, callbacks, reply } from '../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

/** A model chooses the ids of its calls, and may choose the name of a member that every JavaScript object has. */
const NAMES = ['constructor', '__proto__', 'toString'];

const asksAboutResults: ConfirmingHandler = {
  name: 'guard',
  confirmEverywhere: true,
  afterToolCall: ({ toolUse }) =>
    toolUse.name === 'read' ? confirm<AskExtras>('May the model see this?', {}) : { type: 'proceed' },
};

function wants(id: string): AgentOptions['model'] {
  return scriptedModel([call('read'), call('pay', {}, id)], 'Done.');
}

it.each(NAMES)(
  'a call with the id %s runs once and at its first try, while the result of a repeated call waits',
  async (id) => {
    const [read, pay] = [witness('read'), witness('pay')];
    const attempts: unknown[] = [];
    const hooks = callbacks();
    hooks.addCallback(AfterToolCallEvent, (event) => {
      if (event.toolUse.name === 'pay') attempts.push(event.attempt);
      event.retry = event.toolUse.name === 'read' && event.attempt === 1;
    });
    const interventions = [new HumanInTheLoop({ allowedTools: ['read'] }), asksAboutResults];
    const one = agent({ model: wants(id), tools: [read, pay], interventions, hooks: [hooks] });

    const asked = await one.invoke('go');
    expect([read.runs.length, pay.runs.length]).toEqual([2, 0]);
    const result = await one.invoke(asked.interrupts.map((question) => reply(question, true)));

    expect([read.runs.length, pay.runs.length]).toEqual([2, 1]);
    expect(attempts).toEqual([1]);
    expect(result.stopReason).toBe('endTurn');
  },
);
