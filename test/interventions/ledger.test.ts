import { expect, it } from 'vitest';
import {
  AfterToolCallEvent,
  BeforeToolCallEvent,
  HOOK_ORDER,
  HumanInTheLoop,
  type LedgerOptions,
  readLedger,
  SteeringHandler,
  toolLedger,
} from '../../interventions/index.ts';
import { agent, callbacks, reply } from '../support/agent.ts';
import { call, type Line, scriptedModel, witness } from '../support/scripted-model.ts';

/** An agent with a ledger, of which it shows one line for each try. The tool `b` asks. */
function watched(
  script: readonly Line[],
  { ledger = {}, ...options }: Partial<Parameters<typeof agent>[0]> & { readonly ledger?: LedgerOptions } = {},
) {
  const steering = new SteeringHandler({ contextProviders: [toolLedger(ledger)] });
  const made = agent({
    model: scriptedModel(...script),
    tools: ['a', 'b'].map((name) => witness(name)),
    interventions: [steering, new HumanInTheLoop({ allowedTools: ['a'] })],
    ...options,
  });
  const lines = () => readLedger(steering.context).map(({ tool, attempt, status }) => `${tool} ${attempt} ${status}`);
  return { agent: made, lines, entries: () => readLedger(steering.context) };
}

it('a ledger says of the call that was asked about alone that it waits (S-07)', async () => {
  const { agent, lines } = watched([[call('b'), call('a')], 'Done.'], {
    toolExecutor: 'sequential',
    profile: 'strict',
  });
  await agent.invoke('go');

  expect(lines()).toEqual(['b 1 waiting', 'a 1 pending']);
});

it('a ledger says that the newest try of a call waits, and not an earlier one (S-07)', async () => {
  const hooks = callbacks();
  hooks.addCallback(AfterToolCallEvent, (event) => {
    event.retry = event.attempt === 1;
  });
  const { agent, lines } = watched([[call('b')], 'Done.'], { hooks: [hooks] });
  await agent.invoke('go');
  await agent.invoke([reply((await agent.interrupts())[0], true)]);

  expect(lines()).toEqual(['b 1 success', 'b 2 waiting']);
});

it('a ledger says that a call was cancelled whose end another callback kept from it (S-07)', async () => {
  const hooks = callbacks();
  const breaks = ({ toolUse }: AfterToolCallEvent) => {
    if (toolUse.toolUseId === 'a-2') throw new Error('out of order');
  };
  hooks.addCallback(AfterToolCallEvent, breaks, { order: HOOK_ORDER.first - 1 });
  const { agent, lines } = watched([[call('a')], [call('a', {}, 'a-2')]], { hooks: [hooks] });

  await expect(agent.invoke('go')).rejects.toThrow('out of order');
  expect(lines()).toEqual(['a 1 success', 'a 1 cancelled']);
});

it('a ledger keeps when a call began over a pause, and when it ended (S-07)', async () => {
  let now = 1;
  const { agent, entries } = watched([[call('b')], 'Done.'], { clock: { now: () => now } });
  await agent.invoke('go');
  now = 5;
  await agent.invoke([reply((await agent.interrupts())[0], true)]);

  expect(entries()).toMatchObject([{ startedAtMs: 1, endedAtMs: 5 }]);
});

it('a ledger that begins anew with each invocation keeps its calls over a pause (S-07)', async () => {
  const { agent, lines } = watched([[call('a')], [call('b')], 'Done.', 'Done.'], {
    ledger: { resetEachInvocation: true },
  });
  await agent.invoke('go');
  await agent.invoke([reply((await agent.interrupts())[0], true)]);
  expect(lines()).toEqual(['a 1 success', 'b 1 success']);

  await agent.invoke('go on');
  expect(lines()).toEqual([]);
});

it('a ledger names the tool that an earlier callback put in place of the other (S-07, BEY-22)', async () => {
  const hooks = callbacks();
  const a = witness('a');
  const swap = (event: BeforeToolCallEvent) => {
    event.selectedTool = a;
  };
  hooks.addCallback(BeforeToolCallEvent, swap, { order: HOOK_ORDER.first - 1 });
  const { agent, lines } = watched([[call('b')], 'Done.'], { hooks: [hooks] });
  await agent.invoke('go');

  expect(lines()).toEqual(['a 1 success']);
});
