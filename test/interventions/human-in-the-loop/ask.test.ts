import { describe, expect, it } from 'vitest';
import {
  AbortedError,
  type Confirm,
  confirm,
  createInterruptBook,
  createTurnstile,
  HumanInTheLoop,
  InterventionHandler,
  listTrust,
  settleConfirms,
} from '../../../interventions/index.ts';
import { agent, reply } from '../../support/agent.ts';
import { call, handTimers, scriptedModel, witness } from '../../support/scripted-model.ts';

/** Settles questions without a loop. */
function settle(confirms: readonly Confirm[], signal = new AbortController().signal) {
  const noted = confirms.map((one, index) => ({ handler: { name: `h${index}` }, confirm: one }));
  return settleConfirms(noted, {
    about: { subject: 'toolCall', signal, digest: () => 'digest', toolUse: () => undefined },
    place: { agentId: 'a', kind: 'beforeToolCall', turn: 1, attempt: 1, toolUseId: 't-1' },
    book: createInterruptBook(),
    profile: 'strict',
    clock: { now: () => 0 },
    timers: handTimers(),
    turnstile: createTurnstile(1),
    grants: new Set(),
    pauses: false,
    checkEdit: () => undefined,
  });
}

describe('people', () => {
  it('are not asked after the run was given up (BEY-1)', async () => {
    const asked: string[] = [];
    const ask = (prompt: string) => asked.push(prompt) > 0;

    await expect(settle([confirm('Run it?', { ask })], AbortSignal.abort('over'))).rejects.toThrow(AbortedError);
    expect(asked).toEqual([]);
  });

  it('are not asked any more once another question about the call was refused (BEY-16)', async () => {
    const asked: string[] = [];
    const ask = (prompt: string) => asked.push(prompt) > 1;

    expect(await settle([confirm('One?', { ask }), confirm('Two?', { ask })])).toMatchObject({ type: 'refused' });
    expect(asked).toEqual(['One?']);
  });

  it('cannot change what later people see of the approvals before them (BEY-20)', async () => {
    const seen: number[] = [];
    const ask = (_prompt: string, { approvals }: { readonly approvals: readonly unknown[] }) => {
      seen.push(approvals.length);
      Object(approvals).push('forged', 'forged');
      return 'yes';
    };
    const settles: Confirm['settle'] = (response, { approvals }) =>
      approvals.length < 2 ? { type: 'more', approval: response, missing: 1 } : { type: 'approved' };

    expect(await settle([confirm('Run it?', { ask, settle: settles })])).toMatchObject({ type: 'approved' });
    expect(seen).toEqual([0, 1, 2]);
  });
});

describe('an answer of trust', () => {
  class Other extends InterventionHandler {
    readonly name = 'other';
    override beforeToolCall() {
      return confirm('Really?');
    }
  }

  it.each([
    [true, 1],
    [false, 0],
  ])('is stored once every question about the call is approved (the other one: %s) (P19d)', async (other, stored) => {
    const made = agent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop({ enableTrust: true }), new Other()],
      profile: 'strict',
    });
    const [one, two] = (await made.invoke('go')).interrupts;
    await made.invoke([reply(one, 't')]);
    expect(listTrust(made.appState)).toEqual([]);
    await made.invoke([reply(two, other)]);

    expect(listTrust(made.appState)).toHaveLength(stored);
  });
});
