import { describe, expect, it } from 'vitest';
import {
  type AskExtras,
  type Confirm,
  confirm,
  createInterruptBook,
  createPipeline,
  createTurnstile,
  type Deny,
  deny,
  type Handler,
  type Proceed,
  proceed,
  questionsOf,
  settleConfirms,
} from '../../interventions/index.ts';
import { callEvent } from '../support/event.ts';
import { call, handTimers, loop, scriptedModel, sha256, witness } from '../support/scripted-model.ts';

const signal = new AbortController().signal;
const clock = { now: () => 0 };
const timers = handTimers();

/** As a loop does it that is not ours: the handlers are heard, then the open questions are settled. */
async function settled(handlers: readonly Handler[]) {
  const event = callEvent({ find: () => undefined, hash: sha256 });
  const verdict = await createPipeline({ handlers, timers }).consult(event);
  return settleConfirms(questionsOf(verdict), {
    about: { subject: 'toolCall', signal, digest: () => event.digest(), toolUse: () => event.toolUse },
    place: { agentId: 'a', kind: 'beforeToolCall', turn: 0, attempt: 1, toolUseId: 't-1' },
    book: createInterruptBook(),
    profile: 'strict',
    clock,
    timers,
    turnstile: createTurnstile(1),
    grants: new Set(),
    pauses: false,
    checkEdit: () => undefined,
  });
}

const says = (name: string, answer: Deny | Confirm | Proceed): Handler => ({
  name,
  beforeToolCall: () => answer,
});

describe('the settlement of no question', () => {
  it('says that no person was asked, so that a loop cannot read a denied call as approved (REF-17, BEY-1)', async () => {
    const asked: string[] = [];
    const ask = (prompt: string, _extras: AskExtras) => asked.push(prompt) > 0;
    const gate = says('gate', confirm('Run it?', { ask }));

    expect(await settled([gate, says('no', deny('never'))])).toEqual({ type: 'notAsked' });
    expect(await settled([says('go', proceed())])).toEqual({ type: 'notAsked' });
    expect(asked).toEqual([]);
    expect(await settled([gate])).toMatchObject({ type: 'approved' });
  });

  it('lets an open call run and keeps a denied one from running in the loop (REF-17, BEY-1)', async () => {
    const tool = witness('t');
    const one = (handler: Handler) =>
      loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [handler] });
    await one(says('no', deny('never')));
    expect(tool.runs).toEqual([]);

    await one(says('go', proceed()));
    expect(tool.runs).toEqual([{}]);
  });
});
