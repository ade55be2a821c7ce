import {
  AfterInvocationEvent,
  BeforeInvocationEvent,
  clone,
  InterruptedStateError,
  InterventionError,
  type Message,
  MessageAddedEvent,
  type Ruling,
} from '../../../interventions/index.ts';
import { onFailure } from '../on-failure.ts';
import type { LoopEnd } from '../outcome.ts';
import { textMessage } from '../transcript.ts';
import { askAbout, asksSomebody, momentPlace, NOBODY_ASKED } from './moment.ts';
import { pauseRun } from './pause.ts';
import type { Run } from './run.ts';

/** Lets the input in, or returns how the invocation ends without it. Input that waits for a person's answer comes first. */
export async function beginInvocation(run: Run, input: readonly Message[]): Promise<LoopEnd | undefined> {
  const { held, pending, interrupts = [] } = run.state();
  const resumed = pending !== undefined || held !== undefined || interrupts.length > 0;
  const given = [...(held ?? []), ...input];
  // An invocation that goes on after another pause was let in when it began.
  const begins = held !== undefined || !resumed;
  const place = momentPlace(run, 'beforeInvocation');
  const before: BeforeInvocationEvent = new BeforeInvocationEvent(run.context(resumed), {
    messages: clone(given),
    interrupt: begins ? run.book.raiser(place, { digest: () => run.momentDigest(before) }) : goesOn,
  });
  const dispatched = await run.ask(before);
  run.check();
  const asks = begins && before.cancel === false && asksSomebody(dispatched);
  const said = asks ? await askAbout(run, { event: before, place, subject: 'invocation', dispatched }) : NOBODY_ASKED;
  if (said.type === 'paused') {
    const { interrupts: waiting } = await pauseRun(run, said.interrupts, given);
    return { type: 'interrupted', interrupts: waiting };
  }
  const asked = asks || held !== undefined;
  if (said.type === 'approved' && before.cancel === false) {
    await letIn(run, before.messages, asked);
    return undefined;
  }
  const { verdict } = dispatched;
  const handler = said.type !== 'approved' ? said.handler : stoppedBy(verdict);
  const text = said.type !== 'approved' ? said.text : textOf(before);
  const message = textMessage('assistant', text, 'intervention');
  // If another pause survives a refused resume, no message may stand in between.
  if (begins) {
    const stores = run.options.deniedInvocation !== 'storeNothing';
    await letIn(run, stores ? before.messages : [], asked);
    if (stores) await run.say(message);
  }
  return { type: 'finished', stopReason: 'endTurn', message, endedBy: { handler, text } };
}

export type Ahead =
  | { readonly type: 'let'; readonly messages: readonly Message[] }
  | { readonly type: 'refused'; readonly handler: string; readonly text: string };

/** Lets handlers judge words that wait until people have answered something else. No person can be asked about these. */
export async function judgeAhead(run: Run, words: readonly Message[]): Promise<Ahead> {
  const before = new BeforeInvocationEvent(run.context(), { messages: clone(words) });
  const dispatched = await onFailure(
    () => run.ask(before),
    (error) => run.close(new AfterInvocationEvent(run.context(), { error })),
  );
  await run.tell(new AfterInvocationEvent(run.context()));
  run.check();
  const { verdict } = dispatched;
  if (before.cancel !== false) return { type: 'refused', handler: stoppedBy(verdict), text: textOf(before) };
  if (!asksSomebody(dispatched)) return { type: 'let', messages: before.messages };
  throw new InterruptedStateError(
    'A person has to let these words in, and another question waits. Answer or dismiss that one, then say them again.',
  );
}

/** Adds the messages. `asked`: people were asked first, and their answers are used up with this. */
async function letIn(run: Run, messages: readonly Message[], asked: boolean): Promise<void> {
  if (!asked) {
    for (const message of messages) await run.say(message);
    return;
  }
  run.book.clear();
  await run.remember({ type: 'settled', messages });
  for (const message of messages) {
    await run.tell(new MessageAddedEvent(run.context(), { message }));
    run.show({ type: 'message', message });
  }
}

/** The handlers that stopped it, or a callback. */
function stoppedBy(verdict: Ruling): string {
  if (verdict.type === 'deny') return verdict.handler;
  return verdict.type === 'guide' ? verdict.handlers.map(({ name }) => name).join(', ') : 'hook';
}

function textOf({ cancel }: BeforeInvocationEvent): string {
  return cancel === true || cancel === false ? 'invocation denied by hook' : cancel;
}

function goesOn(): never {
  throw new InterventionError(
    'This invocation goes on after a pause, so no question about its beginning can be asked. Look at event.resumed first.',
  );
}
