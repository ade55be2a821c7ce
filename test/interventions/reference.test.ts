import { describe, expect, it } from 'vitest';
import {
  type BeforeInvocationEvent,
  type BeforeToolCallEvent,
  BeforeInvocationEvent as Beginning,
  confirm,
  createPipeline,
  deny,
  type Handler,
  HumanInTheLoop,
  type Noted,
  transform,
} from '../../interventions/index.ts';
import { agent, reply } from '../support/agent.ts';
import { eventContext } from '../support/event.ts';
import { call, handTimers, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

const reference = { profile: 'reference' } as const;

const changesInput: Handler = {
  name: 'changes',
  beforeToolCall: () =>
    transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: 2 } })),
};

/** Pauses until people have answered every question with a yes, and says how many rounds that took. */
async function roundsOf(handlers: readonly Handler[], profile: 'strict' | 'reference') {
  const tool = witness('t');
  const model = scriptedModel([call('t', { a: 1 })], 'Done.');
  const one = agent({ model, tools: [tool], interventions: handlers, profile });
  const shown: string[] = [];
  let result = await one.invoke('go');
  for (let round = 0; result.stopReason === 'interrupt' && round < 6; round += 1) {
    shown.push(result.interrupts.map(({ name, reason }) => `${name} ${JSON.stringify(reason)}`).join(' and '));
    result = await one.invoke(result.interrupts.map((interrupt) => reply(interrupt, true)));
  }
  return {
    rounds: shown.length,
    shown,
    runs: tool.runs,
    stopReason: result.stopReason,
    result: resultsOf(one.messages)[0],
  };
}

const asks = (name: string): Handler => ({
  name,
  beforeToolCall: ({ toolUse }) => confirm(`${name}: ${JSON.stringify(toolUse.input)}?`),
});

describe('the reference profile', () => {
  it.each(['strict', 'reference'] as const)(
    'asks once about what really runs when a change comes after a question that pauses (%s) (REF-7, BEY-43, C-07)',
    async (profile) => {
      const plain = await roundsOf([asks('gate'), changesInput], profile);
      expect(plain).toMatchObject({ rounds: 1, runs: [{ a: 2 }], stopReason: 'endTurn' });
      expect(plain.shown).toEqual(['gate "gate: {\\"a\\":2}?"']);

      const ready = await roundsOf([new HumanInTheLoop(), changesInput], profile);
      expect(ready).toMatchObject({ rounds: 1, runs: [{ a: 2 }], stopReason: 'endTurn' });
    },
  );

  it('asks two questions that pause in two rounds, both about what really runs (REF-7, BEY-43, CMP-11)', async () => {
    const { rounds, shown, runs } = await roundsOf([asks('one'), asks('two'), changesInput], 'reference');

    expect(rounds).toBe(2);
    expect(shown).toEqual(['one "one: {\\"a\\":2}?"', 'two "two: {\\"a\\":2}?"']);
    expect(runs).toEqual([{ a: 2 }]);
  });

  it('asks at once only before a question that pauses, and ends whatever changes the call (REF-7, BEY-43)', async () => {
    const asked: string[] = [];
    const atOnce: Handler = {
      name: 'at once',
      beforeToolCall: ({ toolUse }) => confirm('Now?', { ask: () => asked.push(JSON.stringify(toolUse.input)) > 0 }),
    };
    const behind = await roundsOf([asks('pausing'), atOnce, changesInput], 'reference');
    expect(behind).toMatchObject({ shown: ['pausing "pausing: {\\"a\\":2}?"'], runs: [{ a: 2 }] });
    expect(asked.splice(0)).toEqual(['{"a":2}']);

    const before = await roundsOf([atOnce, asks('pausing'), changesInput], 'reference');
    expect(before).toMatchObject({ shown: ['pausing "pausing: {\\"a\\":2}?"'], runs: [{ a: 2 }] });
    expect(asked.at(-1)).toBe('{"a":2}');
  });

  it('asks a person first and then denies, when the question comes before the denial (REF-7, BEY-43, CMP-10)', async () => {
    const no: Handler = { name: 'no', beforeToolCall: () => deny('never') };
    const { rounds, runs, result } = await roundsOf([asks('gate'), changesInput, no], 'reference');

    expect([rounds, runs, result]).toEqual([1, [], 't-1: error DENIED: never']);
  });

  it('is set once and reaches the gate: any answer counts, and the model reads the prompt of a refusal (REF-8, BEY-43, BEY-23, BEY-38)', async () => {
    const tool = witness('t');
    const once = (gate: HumanInTheLoop) =>
      loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate], ...reference });
    const paused = await once(new HumanInTheLoop());
    const refused = await once(new HumanInTheLoop({ ask: () => 'perhaps' }));
    const [interrupt] = paused.type === 'interrupted' ? paused.interrupts : [];

    expect(interrupt?.name).toBe('countersign:human-in-the-loop');
    expect([interrupt?.answers, Reflect.get(Object(interrupt?.reason), 'answers')]).toEqual([undefined, undefined]);
    expect(resultsOf(refused.state.messages)[0]).toContain('CONFIRMATION_FAILED: The tool "t" needs');
    expect(tool.runs).toEqual([]);
  });

  it('reaches the gate of an agent, and a gate may have another profile (REF-8, BEY-43)', async () => {
    const answersOf = async (gate: HumanInTheLoop, profile?: 'strict' | 'reference') => {
      const model = scriptedModel([call('t')], 'Done.');
      const options = { model, tools: [witness('t')], interventions: [gate] };
      const { interrupts } = await agent(profile === undefined ? options : { ...options, profile }).invoke('go');
      return interrupts.map(({ answers }) => answers !== undefined);
    };

    expect(await answersOf(new HumanInTheLoop(), 'reference')).toEqual([false]);
    expect(await answersOf(new HumanInTheLoop(), 'strict')).toEqual([true]);
    expect(await answersOf(new HumanInTheLoop({ profile: 'reference' }), 'strict')).toEqual([false]);
  });

  it('settles no question at a moment where a question has no effect (REF-9, MTX-5)', async () => {
    const settled: Noted[] = [];
    const warnings: string[] = [];
    // The types forbid it; a handler in plain JavaScript can still do it.
    const asking = { name: 'asking', beforeInvocation: () => confirm('Begin?') } as unknown as Handler;
    const pipeline = createPipeline({
      handlers: [asking],
      timers: handTimers(),
      warn: ({ message }) => void warnings.push(message),
      ...reference,
    });
    const event: BeforeInvocationEvent = new Beginning(eventContext(), { messages: [] });
    const verdict = await pipeline.consult(event, async (noted) => {
      settled.push(noted);
      return { type: 'interrupted', interrupts: [] };
    });

    expect([settled, verdict]).toEqual([[], { type: 'proceed' }]);
    expect(warnings).toEqual(['asking answered confirm on beforeInvocation, which has no effect there.']);
  });

  it('runs the input that a person approved in place of the one that was asked about (BEY-23, BEY-43)', async () => {
    const tool = witness('t');
    const ask = () => ({ decision: 'approve', editedInput: { a: 3 } });
    const gate: Handler = { name: 'gate', beforeToolCall: () => confirm('Run it?', { ask }) };
    await loop({
      model: scriptedModel([call('t', { a: 1 })], 'Done.'),
      tools: [tool],
      interventions: [gate],
      ...reference,
    });

    expect(tool.runs).toEqual([{ a: 3 }]);
  });
});
