import type { Action } from '../actions.ts';
import { given } from '../copy.ts';
import type { InterventionEvent } from '../hooks/events.ts';
import { isPromise } from '../time.ts';
import { type AnyHandler, checkHandlers, isGate, mayAsk, overrides } from './handler.ts';
import { orderedQuestions, type SettleNoted } from './in-order.ts';
import { type HandlerParts, judge } from './one-handler.ts';
import type { Profile } from './profile.ts';
import { fold, type Heard, type Ruling, stops } from './ruling.ts';
import { type SeenEvent, same, see } from './seen.ts';

export interface PipelineParts extends HandlerParts {
  readonly handlers: readonly AnyHandler[];
  readonly profile?: Profile;
  /** Called with each answer of a handler. */
  readonly heard?: (decision: DecidedEvent) => void;
}

export interface DecidedEvent {
  readonly handler: string;
  readonly event: InterventionEvent;
  readonly action: string;
  readonly reason?: string;
  readonly durationMs: number;
}

export interface Pipeline {
  readonly handlers: readonly AnyHandler[];
  /** Whether any handler is asked about an event of this kind. */
  readonly listens: (event: InterventionEvent) => boolean;
  /**
   * Asks each handler in the order they were given.
   *
   * A deny ends it, because later handlers must not see a call that will not run. A confirm is only noted: people are
   * asked last, and about everything at once. Advice does not end it: all of it is gathered, so that the model gets it
   * together. Only the `reference` profile uses `settle`, because it asks in the order of the handlers.
   */
  readonly consult: (event: InterventionEvent, settle?: SettleNoted) => Promise<Ruling>;
}

/** A call that still changes after this many rounds is denied. */
const MOST_ROUNDS = 5;

export function createPipeline(parts: PipelineParts): Pipeline {
  const { profile = 'strict', heard, warn } = parts;
  checkHandlers(parts.handlers);
  const handlers = [...parts.handlers];
  const byEvent = new Map<InterventionEvent['type'], readonly AnyHandler[]>();
  const listening = ({ type }: InterventionEvent) => {
    const known = byEvent.get(type) ?? handlers.filter((handler) => overrides(handler, type));
    byEvent.set(type, known);
    return known;
  };

  const note = (event: InterventionEvent, answer: Heard, sinceMs: number): void => {
    const { name } = answer.handler;
    if (answer.type === 'failed') {
      heard?.({ handler: name, event, action: 'failed', reason: answer.text, durationMs: event.nowMs - sinceMs });
      return;
    }
    const { action, effect } = answer;
    heard?.({ handler: name, event, action: action.type, durationMs: event.nowMs - sinceMs, ...reasonOf(action) });
    if (effect !== 'warn') return;
    const message = `${name} answered ${action.type} on ${event.type}, which has no effect there.`;
    warn?.({ handler: name, event: event.type, action: action.type, message });
  };

  return {
    handlers,
    listens: (event) => listening(event).length > 0,
    consult: async (event, settle) => {
      const answers: Heard[] = [];
      const seen: (SeenEvent | undefined)[] = [];
      const questions = profile === 'reference' && settle !== undefined ? orderedQuestions(settle) : undefined;
      for (const handler of listening(event)) {
        if (passesOver(handler, event)) continue;
        const before = isGate(handler) && canHold(handler, event) ? see(event) : undefined;
        const sinceMs = event.nowMs;
        const made = judge(handler, event, parts);
        const answer = isPromise(made) ? await made : made;
        note(event, answer, sinceMs);
        answers.push(answer);
        seen.push(seenBy(answer, event, before));
        if (stops(answer)) break;
        const ended = questions === undefined ? undefined : await questions.heard(answer);
        if (ended !== undefined) return ended;
      }
      const verdict = await judgeAgain(event, answers, seen);
      // Denied because it kept changing, so people could not be told what would run.
      if (verdict.type === 'deny' && !answers.some(stops)) return verdict;
      return questions === undefined ? verdict : ((await questions.rest(answers)) ?? verdict);
    },
  };

  /**
   * Asks each handler again whose judgement is out of date, until nothing changes any more. `seen` has what each of them judged:
   * `undefined` for one whose judgement holds for any call.
   */
  async function judgeAgain(
    event: InterventionEvent,
    answers: Heard[],
    seen: (SeenEvent | undefined)[],
  ): Promise<Ruling> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const verdict = fold(answers);
      const outdated = verdict.type === 'deny' ? [] : outOfDate(answers, seen, event);
      if (outdated.length === 0) return verdict;
      for (const { index, handler } of outdated) {
        const before = isGate(handler) ? see(event) : undefined;
        const sinceMs = event.nowMs;
        const made = judge(handler, event, parts);
        const answer = isPromise(made) ? await made : made;
        note(event, answer, sinceMs);
        answers[index] = answer;
        seen[index] = seenBy(answer, event, before);
      }
    }
    return { type: 'deny', handler: 'pipeline', text: keptChanging(event) };
  }
}

/** The handlers that judged something else than what the event is now. */
function outOfDate(
  answers: readonly Heard[],
  seen: readonly (SeenEvent | undefined)[],
  event: InterventionEvent,
): readonly { readonly index: number; readonly handler: AnyHandler }[] {
  if (seen.every((one) => one === undefined)) return [];
  const now = see(event);
  return answers.flatMap(({ handler }, index) => {
    const before = seen[index];
    return before === undefined || same(before, now) ? [] : [{ index, handler }];
  });
}

/** Whether this handler can hold back this event. Outside tool calls only `confirmEverywhere` can. */
function canHold(handler: AnyHandler, { type }: InterventionEvent): boolean {
  return type === 'beforeToolCall' || (handler.confirmEverywhere === true && type !== 'afterModelCall');
}

function keptChanging({ type }: InterventionEvent): string {
  const what = type === 'beforeToolCall' ? 'this tool call, so what would run' : 'this, so what would go on';
  return `DENIED: Handlers kept changing ${what} could not be established.`;
}

/** Failed model calls belong to the retry strategy: only handlers with `observesFailures` are asked about them. */
function passesOver(handler: AnyHandler, event: InterventionEvent): boolean {
  return event.type === 'afterModelCall' && event.stopData === undefined && handler.observesFailures !== true;
}

/**
 * What a handler has judged. A gate: the state before it. One that changes the call itself, or of which only the answer shows that
 * it judges, knows the state after it.
 */
function seenBy(answer: Heard, event: InterventionEvent, before: SeenEvent | undefined): SeenEvent | undefined {
  if (!judged(answer, event)) return undefined;
  const changed = answer.type === 'heard' && answer.effect === 'apply';
  return changed || before === undefined ? see(event) : before;
}

/** Whether an answer holds only for what its handler saw. A handler that let a call pass may want to ask about another one. */
function judged(answer: Heard, event: InterventionEvent): boolean {
  const { handler } = answer;
  if (!canHold(handler, event)) return false;
  if (isGate(handler)) return true;
  if (answer.type === 'failed') return false;
  return answer.effect === 'confirm' || (answer.effect === 'nothing' && mayAsk(handler, event.type));
}

/** The reason for the log. The prompt of a question is left out, because it quotes the input. */
function reasonOf(action: Action<unknown>): { readonly reason?: string } {
  const reason = action.type === 'guide' ? action.feedback : action.reason;
  return given({ reason });
}
