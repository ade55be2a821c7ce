import {
  AbortedError,
  AfterModelCallEvent,
  BeforeModelCallEvent,
  clone,
  type Dispatched,
  type Interrupt,
  InterventionError,
  type Message,
  ModelMessageEvent,
  type Place,
  ResponseDiscardedEvent,
  type Ruling,
  type StopData,
  within,
} from '../../../interventions/index.ts';
import { NO_USAGE } from '../cost.ts';
import { onFailure } from '../on-failure.ts';
import type { ModelAnswer } from '../ports.ts';
import { alternating, alternatingOf, textMessage } from '../transcript.ts';
import { advise } from './advice.ts';
import { askAbout, asksSomebody, type MomentAnswer, momentPlace, NOBODY_ASKED } from './moment.ts';
import { pauseRun } from './pause.ts';
import type { Run } from './run.ts';

export interface Turn {
  readonly type: 'answered';
  readonly answer: ModelAnswer;
  /** Set when an intervention answered instead of the model. */
  readonly endedBy?: { readonly handler: string; readonly text: string };
}

interface Paused {
  readonly type: 'paused';
  readonly interrupts: readonly Interrupt[];
}

/** Takes one accepted answer: asks the model until no handler sends the answer back, or a limit is reached. */
export async function takeTurn(run: Run): Promise<Turn | Paused> {
  const temporary: Message[] = [];
  const resumed = (run.state().interrupts ?? []).length > 0;
  for (let tryNumber = 1; ; tryNumber += 1) {
    run.check();
    const guidanceCount = run.caps.answersSentBack();
    const place = momentPlace(run, 'beforeModelCall');
    const before: BeforeModelCallEvent = new BeforeModelCallEvent(run.context(resumed && tryNumber === 1), {
      messages: run.state().messages,
      attempt: tryNumber,
      guidanceCount,
      interrupt: run.book.raiser(place, { digest: () => run.momentDigest(before) }),
    });
    const end = await answerOrClose(run, { before, place }, temporary);
    if (end.type === 'paused') return end;
    const { verdict, made } = end;
    const stopData: StopData | undefined =
      made.type === 'answered'
        ? { message: clone(made.answer.message), stopReason: made.answer.stopReason }
        : undefined;
    const after = new AfterModelCallEvent(run.context(), {
      attempt: tryNumber,
      guidanceCount,
      stopData,
      ...(made.type === 'failed' ? { error: made.error } : {}),
    });
    const judged = await run.ask(after);
    // If the run was cancelled meanwhile, the answer is dropped: nothing new of the model enters the conversation.
    run.check();
    if (judged.interrupts.length > 0) throw new InterventionError(TOO_LATE);

    const again = after.retry && tryNumber <= run.limits.retries + run.limits.guidance.perTurn;
    if (!again) {
      if (made.type === 'failed') throw made.error;
      const turn = finish(run, made, stopData, { before: verdict, after: judged.verdict });
      if (run.options.bufferText === true && turn.endedBy === undefined) showHeld(run, turn.answer.message);
      return turn;
    }
    if (run.options.bufferText !== true) await discard(run);
    const discarded = made.type === 'answered' ? made.answer.message : undefined;
    if (judged.verdict.type === 'guide') await advise(run, judged.verdict, temporary, discarded);
  }
}

const TOO_LATE =
  'A question was raised after a model call, when the answer can no longer be held back. Ask before the model call instead.';

interface Asking {
  readonly before: BeforeModelCallEvent;
  readonly place: Place;
}

type End = Paused | { readonly type: 'made'; readonly verdict: Ruling; readonly made: Made };

/** Asks handlers and people, then the model. Completes the pair of events also when the call is given up in between. */
function answerOrClose(run: Run, asking: Asking, temporary: Message[]): Promise<End> {
  return onFailure(
    () => answer(run, asking, temporary),
    async (error) => {
      // A handler or a question failed, or the run was stopped. The pair is completed before the error goes on.
      run.abort(error);
      const { attempt, guidanceCount } = asking.before;
      await run.close(new AfterModelCallEvent(run.context(), { attempt, guidanceCount, error }));
    },
  );
}

async function answer(run: Run, { before, place }: Asking, temporary: Message[]): Promise<End> {
  const unchanged = before.messages;
  const dispatched = await run.ask(before);
  run.check();
  const { verdict } = dispatched;
  const said = await askPeople(run, { before, place }, dispatched);
  if (said.type === 'paused') return pauseRun(run, said.interrupts);
  if (said.type !== 'approved') {
    const { handler, text } = said;
    return { type: 'made', verdict: { type: 'deny', handler, text }, made: denied(text) };
  }
  if (verdict.type === 'guide') await advise(run, verdict, temporary);
  const made: Made =
    before.cancel === false ? await callModel(run, before, { unchanged, temporary }) : denied(before.cancel);
  return { type: 'made', verdict, made };
}

/** Asks people about a model call, unless it is cancelled. An answer lets this one call through and is then used up. */
async function askPeople(run: Run, { before, place }: Asking, dispatched: Dispatched): Promise<MomentAnswer> {
  const asks = before.cancel === false && asksSomebody(dispatched);
  const answered = (run.state().interrupts ?? []).length > 0;
  const said = asks ? await askAbout(run, { event: before, place, subject: 'modelCall', dispatched }) : NOBODY_ASKED;
  if (said.type === 'paused' || !(asks || answered)) return said;
  run.book.clear();
  await run.remember({ type: 'settled', messages: [] });
  return said;
}

type Made =
  | { readonly type: 'answered'; readonly answer: ModelAnswer; readonly denied: boolean }
  | { readonly type: 'failed'; readonly error: unknown };

async function callModel(
  run: Run,
  before: BeforeModelCallEvent,
  shown: { readonly unchanged: readonly Message[]; readonly temporary: readonly Message[] },
): Promise<Made> {
  const { model, system, tools, timers } = run.options;
  // The list of the event was made before advice was added, so it counts only if a handler replaced it.
  const spoken = before.messages === shown.unchanged ? run.state().messages : before.messages;
  const all = shown.temporary.length === 0 ? spoken : [...spoken, ...shown.temporary];
  const messages = run.profile === 'reference' ? all : inTurn(run, all);
  const specs = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  try {
    const onText = (text: string) => {
      if (!run.signal.aborted && run.options.bufferText !== true) run.show({ type: 'text', text });
    };
    const prompt = typeof system === 'function' ? system() : system;
    const asked = model({ system: prompt, messages, tools: specs }, { signal: run.signal, onText });
    // The loop does not wait for a model that ignores the signal.
    const onTimeout = () => new Error('A model call has no limit of its own here.');
    const answer = await within(asked, { signal: run.signal, timers, timeoutMs: null, onTimeout });
    run.spend(answer.usage);
    await run.tell(new ModelMessageEvent(run.context(), { message: answer.message }));
    return { type: 'answered', answer, denied: false };
    // The model or a callback failed. After-handlers may ask for another try, so the failure is a result.
  } catch (error) {
    if (run.signal.aborted) throw new AbortedError(run.signal.reason);
    return { type: 'failed', error };
  }
}

/** The messages with alternating roles. A list that a handler made is looked through each time, because it may change it. */
function inTurn(run: Run, messages: readonly Message[]): readonly Message[] {
  const state = run.state();
  return messages === state.messages ? alternatingOf(state) : alternating(messages);
}

function denied(cancel: true | string): Made {
  const text = cancel === true ? 'model call denied by hook' : cancel;
  const message = textMessage('assistant', text, 'intervention');
  return { type: 'answered', answer: { message, stopReason: 'endTurn', usage: NO_USAGE }, denied: true };
}

function finish(
  run: Run,
  made: Made & { readonly type: 'answered' },
  stopData: StopData | undefined,
  verdicts: { readonly before: Ruling; readonly after: Ruling },
): Turn {
  const answer = { ...made.answer, ...stopData };
  run.caps.nextTurn();
  const by = verdicts.after.type === 'deny' ? verdicts.after : made.denied ? verdicts.before : undefined;
  if (by?.type === 'deny') return { type: 'answered', answer, endedBy: { handler: by.handler, text: by.text } };
  if (!made.denied) return { type: 'answered', answer };
  return { type: 'answered', answer, endedBy: { handler: 'hook', text: textOf(answer.message) } };
}

/** Shows the text that was held back, as it was accepted: an intervention may have changed it. */
function showHeld(run: Run, message: Message): void {
  const text = textOf(message);
  if (text !== '') run.show({ type: 'text', text });
}

function textOf({ content }: Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Tells that the streamed text is not the answer, so that views take it back. */
async function discard(run: Run): Promise<void> {
  run.show({ type: 'discarded' });
  await run.tell(new ResponseDiscardedEvent(run.context()));
}
