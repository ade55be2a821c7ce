import { describe, expect, it } from 'vitest';
import {
  BeforeToolsEvent,
  ConfigurationError,
  deny,
  type Handler,
  HUMAN_IN_THE_LOOP,
  HumanInTheLoop,
  type Reaction,
} from '../../../../interventions/index.ts';
import { callbacks, linesOf, agent as makeAgent, reply } from '../../../support/agent.ts';
import { strictly } from '../../../support/profile.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

const goodbye: Reaction = { type: 'endTurn', text: 'That was all.' };

describe('what happens after a decision', () => {
  it.each([
    ['approved', true],
    ['denied', false],
    ['expired', { decision: 'expired' }],
  ] as const)('ends the turn with a given text once it is %s (BEY-42)', async (decision, answer) => {
    const model = scriptedModel([call('t')], 'Never said.');
    const gate = new HumanInTheLoop({ ask: () => answer, reactions: { [decision]: goodbye } });
    const outcome = await loop({ model, tools: [witness('t')], interventions: [gate] });

    expect(model.requests).toHaveLength(1);
    expect(outcome).toMatchObject({
      type: 'finished',
      stopReason: 'endTurn',
      message: { role: 'assistant', origin: 'intervention' },
      endedBy: { handler: HUMAN_IN_THE_LOOP, text: 'That was all.' },
    });
    expect(linesOf(outcome.state.messages).slice(1)).toEqual([
      'assistant: [t t-1]',
      `user: [t-1 ${decision === 'approved' ? 'success' : 'error'}]`,
      'assistant: That was all.',
    ]);
  });

  it.each([
    ['approved', false],
    ['denied', true],
    ['expired', false],
    ['denied', { decision: 'cancelled' }],
  ] as const)('leaves the word to the model when it is not %s (BEY-42)', async (decision, answer) => {
    const model = scriptedModel([call('t')], 'Done.');
    const gate = new HumanInTheLoop({ ask: () => answer, reactions: { [decision]: goodbye } });
    const outcome = await loop({ model, tools: [witness('t')], interventions: [gate] });

    expect(model.requests).toHaveLength(2);
    expect(outcome).not.toHaveProperty('endedBy');
  });

  it('stops without a message, and says which handler stopped it (BEY-42)', async () => {
    const model = scriptedModel([call('t')], 'Never said.');
    const gate = new HumanInTheLoop({ ask: () => false, reactions: { denied: { type: 'stop' } } });
    const outcome = await loop({ model, tools: [witness('t')], interventions: [gate] });

    expect(model.requests).toHaveLength(1);
    expect(outcome).toMatchObject({ type: 'finished', endedBy: { handler: HUMAN_IN_THE_LOOP, text: '' } });
    expect(linesOf(outcome.state.messages).at(-1)).toBe('user: [t-1 error]');
  });

  it('follows a denial by a handler, after the other calls of the batch (BEY-42)', async () => {
    const free = witness('free');
    const model = scriptedModel([call('t'), call('free')], 'Never said.');
    const closed: Handler = {
      name: 'closed',
      beforeToolCall: ({ toolUse }) =>
        toolUse.name === 't' ? deny('not today', { reaction: goodbye }) : { type: 'proceed' },
    };
    const outcome = await loop({ model, tools: [witness('t'), free], interventions: [closed] });

    expect([model.requests.length, free.runs.length]).toEqual([1, 1]);
    expect(resultsOf(outcome.state.messages)).toEqual(['t-1: error DENIED: not today', 'free-1: success free is done']);
    expect(outcome).toMatchObject({ endedBy: { handler: 'closed', text: 'That was all.' } });
  });

  it(
    'survives a pause of a sibling, and the conversation can go on afterwards (BEY-42)',
    strictly('BEY-11', async () => {
      const model = scriptedModel([call('t', { a: 1 }, 'one'), call('t', { a: 2 }, 'two')], 'Hello again.');
      const agent = makeAgent({
        model,
        tools: [witness('t')],
        interventions: [new HumanInTheLoop({ reactions: { denied: { type: 'stop' } } })],
      });
      await agent.invoke('go');
      const [one, two] = await agent.interrupts();
      await agent.invoke([reply(one, 'no')]);
      const outcome = await agent.invoke([reply(two, 'yes')]);

      expect(model.requests).toHaveLength(1);
      expect(outcome).toMatchObject({ stopReason: 'endTurn', endedBy: { handler: HUMAN_IN_THE_LOOP } });

      await agent.invoke('still there?');
      expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    }),
  );

  it('survives a cancel of the rest of the batch (BEY-42)', async () => {
    const hooks = callbacks();
    hooks.addCallback(BeforeToolsEvent, (event) => {
      if (event.resumed && answered) event.cancel = 'enough';
    });
    let answered = false;
    const model = scriptedModel([call('t', { a: 1 }, 'one'), call('t', { a: 2 }, 'two')], 'Never said.');
    const gate = new HumanInTheLoop({ reactions: { denied: goodbye } });
    const agent = makeAgent({ model, hooks: [hooks], tools: [witness('t')], interventions: [gate] });
    await agent.invoke('go');
    const [one, two] = await agent.interrupts();
    await agent.invoke([reply(one, 'no')]);
    answered = true;
    const outcome = await agent.invoke([reply(two, 'yes')]);

    expect(model.requests).toHaveLength(1);
    expect(outcome).toMatchObject({ endedBy: { handler: HUMAN_IN_THE_LOOP, text: 'That was all.' } });
  });

  it('is checked before anything runs (BEY-42)', () => {
    const make = () => new HumanInTheLoop({ reactions: { denied: { type: 'endTurn', text: '' } } });

    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow('a sentence');
  });
});
