import {
  AbortedError,
  AfterModelCallEvent,
  BeforeModelCallEvent,
  copy,
  type Message,
  ModelMessageEvent,
  ResponseDiscardedEvent,
  type StopData,
  type Verdict,
  within,
} from '../../interventions/index.ts';
import { NO_USAGE } from './cost.ts';
import { advise } from './loop-advice.ts';
import type { Run } from './loop-run.ts';
import type { ModelAnswer } from './ports.ts';
import { alternating, textMessage } from './transcript.ts';

export interface Turn {
  readonly answer: ModelAnswer;
  /** Set when an intervention answered instead of the model. */
  readonly endedBy?: { readonly handler: string; readonly text: string };
}

/** One accepted answer: asks the model until nobody sends it back any more, or the caps say enough. */
export async function takeTurn(run: Run): Promise<Turn> {
  const temporary: Message[] = [];
  for (let attempt = 1; ; attempt += 1) {
    run.check();
    const guidanceCount = run.caps.answersSentBack();
    const before = new BeforeModelCallEvent(run.context(), {
      messages: run.state().messages,
      attempt,
      guidanceCount,
    });
    const { asked, made } = await answerOrClose(run, before, temporary);
    const stopData: StopData | undefined =
      made.type === 'answered' ? { message: copy(made.answer.message), stopReason: made.answer.stopReason } : undefined;
    const after = new AfterModelCallEvent(run.context(), {
      attempt,
      guidanceCount,
      stopData,
      ...(made.type === 'failed' ? { error: made.error } : {}),
    });
    const judged = await run.ask(after);
    run.check();

    const again = after.retry && attempt <= run.limits.retries + run.limits.guidance.perTurn;
    if (!again) {
      if (made.type === 'failed') throw made.error;
      const turn = finish(run, made, stopData, { before: asked.verdict, after: judged.verdict });
      if (run.options.bufferText === true && turn.endedBy === undefined) showHeld(run, turn.answer.message);
      return turn;
    }
    if (run.options.bufferText !== true) await discard(run);
    const discarded = made.type === 'answered' ? made.answer.message : undefined;
    if (judged.verdict.type === 'guide') await advise(run, judged.verdict, temporary, discarded);
  }
}

/** Asks everybody, then the model. The pair is completed also when it is given up in between. */
async function answerOrClose(run: Run, before: BeforeModelCallEvent, temporary: Message[]) {
  const unchanged = before.messages;
  try {
    const asked = await run.ask(before);
    run.check();
    if (asked.verdict.type === 'guide') await advise(run, asked.verdict, temporary);
    const made: Made =
      before.cancel === false ? await callModel(run, before, { unchanged, temporary }) : denied(before.cancel);
    return { asked, made };
  } catch (error) {
    run.abort(error);
    const { attempt, guidanceCount } = before;
    await run.close(new AfterModelCallEvent(run.context(), { attempt, guidanceCount, error }));
    throw error;
  }
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
  // Advice given on this very event came after the list was made, so only a list that somebody changed is kept.
  const spoken = before.messages === shown.unchanged ? run.state().messages : before.messages;
  const messages = run.profile === 'reference' ? spoken : alternating([...spoken, ...shown.temporary]);
  const specs = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  try {
    const onText = (text: string) => {
      if (!run.signal.aborted && run.options.bufferText !== true) run.show({ type: 'text', text });
    };
    const asked = model({ system, messages, tools: specs }, { signal: run.signal, onText });
    // A model that does not listen to the signal is not waited for.
    const onTimeout = () => new Error('A model call has no limit of its own here.');
    const answer = await within(asked, { signal: run.signal, timers, timeoutMs: null, onTimeout });
    run.spend(answer.usage);
    await run.tell(new ModelMessageEvent(run.context(), { message: answer.message }));
    return { type: 'answered', answer, denied: false };
  } catch (error) {
    if (run.signal.aborted) throw new AbortedError(run.signal.reason);
    return { type: 'failed', error };
  }
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
  verdicts: { readonly before: Verdict; readonly after: Verdict },
): Turn {
  const answer = { ...made.answer, ...stopData };
  run.caps.nextTurn();
  const by = verdicts.after.type === 'deny' ? verdicts.after : made.denied ? verdicts.before : undefined;
  if (by?.type === 'deny') return { answer, endedBy: { handler: by.handler, text: by.text } };
  if (!made.denied) return { answer };
  return { answer, endedBy: { handler: 'hook', text: textOf(answer.message) } };
}

/** What was held back while it was judged, as it was accepted: an intervention may have changed it. */
function showHeld(run: Run, message: Message): void {
  const text = textOf(message);
  if (text !== '') run.show({ type: 'text', text });
}

function textOf({ content }: Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** What was streamed is not the answer: whoever shows it takes it back. */
async function discard(run: Run): Promise<void> {
  run.show({ type: 'discarded' });
  await run.tell(new ResponseDiscardedEvent(run.context()));
}
