import { expect, it } from 'vitest';
import { createMemorySession } from '../../../../app/agent/alone/memory/session.ts';
import { HumanInTheLoop, type Json } from '../../../../interventions/index.ts';
import { agent, reply } from '../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

/** The answers to what a tool asks in one invocation, each given by another process; then how often it was asked. */
async function answered(answers: readonly Json[], inputs: readonly Json[]) {
  const tool = witness('t');
  const model = scriptedModel(...inputs.map((input, index) => [call('t', input, `t-${index}`)]), 'Done.', [
    call('t', inputs[0], 'later'),
  ]);
  const sessionManager = createMemorySession();
  const interventions = () => [new HumanInTheLoop({ refusalsPerTool: 2 })];
  const made = () => agent({ model, tools: [tool], interventions: interventions(), sessionManager });
  let result = await made().invoke('go');
  let asked = 0;
  for (const said of answers) {
    asked += result.interrupts.length;
    if (result.interrupts.length > 0) result = await made().invoke(result.interrupts.map((one) => reply(one, said)));
  }
  return { made, asked, runs: tool.runs.length, result };
}

it('a gate counts refusals over all pauses of an invocation, and anew in the next one (BEY-24)', async () => {
  const { made, asked, runs, result } = await answered([false, false, false, true], [1, 2, 3, 4]);

  expect([asked, runs, `${result}`]).toEqual([2, 0, 'Done.']);
  const last = made();
  await last.initialize();
  expect(JSON.stringify(last.messages)).toContain('2 times, so it is closed for now.');
  expect((await made().invoke('again')).interrupts).toHaveLength(1);
});

it('a gate does not ask a second time about a call that a person refused before another pause (BEY-24)', async () => {
  expect(await answered([false, true, true], [1, 2, 1])).toMatchObject({ asked: 2, runs: 1 });
});

it('a gate lets a call run that was approved after others of its turn were refused, although its tool is closed by now (BEY-24)', async () => {
  const tool = witness('t');
  const model = scriptedModel(
    [1, 2, 3].map((input) => call('t', input, `t-${input}`)),
    'Done.',
  );
  const made = agent({ model, tools: [tool], interventions: [new HumanInTheLoop({ refusalsPerTool: 2 })] });
  const [one, two, three] = (await made.invoke('go')).interrupts;
  await made.invoke([reply(one, false), reply(two, false)]);

  await made.invoke([reply(three, true)]);

  expect(tool.runs).toEqual([3]);
});

it('a gate counts a refusal once, however often its call is judged again behind a call that waits (BEY-24)', async () => {
  const tool = witness('t');
  const model = scriptedModel(
    [1, 2, 3, 4].map((input) => call('t', input, `t-${input}`)),
    [call('t', 5, 't-5')],
    'Done.',
  );
  const interventions = [new HumanInTheLoop({ refusalsPerTool: 3 })];
  // The reference pauses at the first of these calls.
  const made = agent({ model, tools: [tool], interventions, toolExecutor: 'sequential', profile: 'strict' });
  const [one, two, three, four] = (await made.invoke('go')).interrupts;
  await made.invoke([reply(two, false)]);
  await made.invoke([reply(three, true)]);
  await made.invoke([reply(four, true)]);

  const { interrupts } = await made.invoke([reply(one, true)]);

  expect(tool.runs).toEqual([1, 3, 4]);
  expect(interrupts).toHaveLength(1);
});

it.each(['x', [7], [[7], [['t']]], {}])('a gate passes over kept refusals of another shape: %j', async (odd) => {
  const tool = witness('t');
  const parts = { tools: [tool], interventions: [new HumanInTheLoop()] };
  const first = agent({ ...parts, model: scriptedModel([call('t')]) });
  const { interrupts } = await first.invoke('go');
  const appState = { 'hitl:refusals:countersign:human-in-the-loop': odd };
  const snapshot = { ...first.snapshot(), appState };

  await agent({ ...parts, model: scriptedModel('Done.'), snapshot }).invoke([reply(interrupts[0], true)]);

  expect(tool.runs).toHaveLength(1);
});

it('a gate forgets at the next invocation what people refused in one that failed (BEY-24)', async () => {
  const tool = witness('t');
  const model = scriptedModel([call('t', 1)], new Error('overloaded'), [call('t', 2)], [call('t', 1)]);
  const made = agent({ model, tools: [tool], interventions: [new HumanInTheLoop()], retryStrategy: null });
  const [one] = (await made.invoke('go')).interrupts;
  await expect(made.invoke([reply(one, false)])).rejects.toThrow('overloaded');
  const [two] = (await made.invoke('again')).interrupts;

  const { interrupts } = await made.invoke([reply(two, true)]);

  expect(tool.runs).toEqual([2]);
  expect(interrupts).toHaveLength(1);
});
