import { isAlmostJson } from '../app-state.ts';
import { canonical } from '../canonical.ts';
import { AnswerError, ConfigurationError, InterventionError } from '../errors.ts';
import type { Json } from '../messages.ts';
import type { Interrupt } from './interrupt.ts';

/** How a caller answers a question. A model would write no block of this shape. */
export interface InterruptResponseBlock {
  readonly interruptResponse: { readonly interruptId: string; readonly response: Json };
}

/** An answer that was used up. It is remembered, so that giving it twice is harmless. */
export interface SpentAnswer {
  readonly interruptId: string;
  readonly response: Json;
}

export type Answers =
  | { readonly type: 'answered'; readonly interrupts: readonly Interrupt[] }
  /** All answers had been given before. */
  | { readonly type: 'repeated' };

export interface Standing {
  readonly interrupts: readonly Interrupt[];
  readonly spent: readonly SpentAnswer[];
  readonly nowMs: number;
}

/** Applies all answers or none. Every answer is checked before any is used. */
export function applyAnswers(blocks: readonly InterruptResponseBlock[], standing: Standing): Answers {
  if (!Array.isArray(blocks) || !blocks.every(isAnswer)) {
    throw new InterventionError(
      `The answers are ${canonical(blocks).slice(0, 100)}. Give a list of { interruptResponse: { interruptId, response } }.`,
    );
  }
  const answers = blocks.map(({ interruptResponse }) => interruptResponse);
  const fresh = answers.filter((answer, index) => isFresh(answer, standing, answers.slice(0, index)));
  if (fresh.length === 0) return { type: 'repeated' };
  if (fresh.length < answers.length) {
    const stale = answers.find((answer) => !fresh.includes(answer))?.interruptId ?? '';
    throw refuse('decided', stale, 'was decided already, so nothing of this list was used');
  }
  const byId = new Map(fresh.map(({ interruptId, response }) => [interruptId, response]));
  return {
    type: 'answered',
    interrupts: standing.interrupts.map((interrupt) => {
      const response = byId.get(interrupt.id);
      return response === undefined ? interrupt : { ...interrupt, response };
    }),
  };
}

/**
 * Takes questions back. What a handler asked about does not run, and the model is told the cause. Code that called `interrupt()`
 * itself gets `{ decision: 'cancelled', comment }`, which it must not take for a yes.
 */
export function dismissInterrupts(
  interrupts: readonly Interrupt[],
  { ids, reason }: { readonly ids?: readonly string[]; readonly reason: string },
): readonly Interrupt[] {
  if (ids !== undefined && !Array.isArray(ids)) {
    throw new InterventionError(
      `The questions to take back are ${canonical(ids)}, which is no list of ids. Give a list, or leave it out to take all back.`,
    );
  }
  const unknown = ids?.find((id) => !interrupts.some((interrupt) => interrupt.id === id));
  if (unknown !== undefined) throw refuse('unknown', unknown, 'is not a question of this agent');
  return interrupts.map((interrupt) => {
    const meant = ids === undefined || ids.includes(interrupt.id);
    if (!meant || interrupt.response !== undefined) return interrupt;
    return { ...interrupt, response: { decision: 'cancelled', comment: reason } };
  });
}

/** Refuses to go on without a handler that asked: the others do not judge its answer, so a person's no would not count. */
export function checkAskers(interrupts: readonly Interrupt[], handlers: readonly { readonly name: string }[]): void {
  const lacking = interrupts.find(
    ({ handler }) => handler !== undefined && handlers.every(({ name }) => name !== handler),
  );
  if (lacking === undefined) return;
  throw new ConfigurationError(
    `The handler ${canonical(lacking.handler)} asked a question here, and this agent lacks it, so the answer would not count. Give the agent that handler again, then go on.`,
  );
}

function isAnswer(block: Partial<InterruptResponseBlock> | null): boolean {
  return typeof block?.interruptResponse?.interruptId === 'string';
}

function isFresh(
  { interruptId: id, response }: InterruptResponseBlock['interruptResponse'],
  { interrupts, spent, nowMs }: Standing,
  before: readonly { readonly interruptId: string }[],
): boolean {
  if (before.some(({ interruptId }) => interruptId === id))
    throw refuse('duplicate', id, 'is answered twice in one list');
  if (response === undefined) throw refuse('missing', id, 'was given no value; any JSON value is an answer, also null');
  if (!isAlmostJson(response))
    throw refuse('invalid', id, 'was given a value that JSON cannot hold, such as a date, a function or a circle');
  const interrupt = interrupts.find((one) => one.id === id);
  // A question may be open again after an answer, when several people must approve.
  const open = interrupt !== undefined && interrupt.response === undefined;
  const used = interrupt?.response ?? spent.findLast(({ interruptId }) => interruptId === id)?.response;
  if (used !== undefined && !open) {
    if (asStored(used) === asStored(response)) return false;
    throw refuse('decided', id, 'was decided already, and otherwise');
  }
  if (interrupt === undefined) throw refuse('unknown', id, 'is not a question of this agent');
  if (interrupt.expiresAtMs !== undefined && interrupt.expiresAtMs <= nowMs) throw refuse('expired', id, 'has expired');
  if (interrupt.answers !== undefined && !isAllowed(response, interrupt.answers, interrupt)) {
    const most = [...interrupt.answers.map((answer) => JSON.stringify(answer)), '{ decision, approver, comment }'];
    const ways = `Answer with one of ${most.join(', ')}, where decision is one of ${DECISIONS.join(', ')}`;
    throw refuse('invalid', id, `cannot be answered with ${JSON.stringify(response)}, so it is still open. ${ways}`);
  }
  return true;
}

/** An answer as a store gives it back: without the members that are undefined. */
function asStored(answer: Json): string {
  return canonical(JSON.parse(JSON.stringify(answer)));
}

/** Whether an answer is one of the expected ones. A handler reads itself what an envelope says, and may know more decisions. */
function isAllowed(response: Json, answers: readonly Json[], { handler }: Interrupt): boolean {
  if (isOneOf(response, answers)) return true;
  if (typeof response !== 'object' || response === null || !('decision' in response)) return false;
  return handler !== undefined || DECISIONS.some((decision) => decision === response.decision);
}

/** What an answer that says who decided, and why, can say. */
export const DECISIONS = ['approve', 'deny', 'trust', 'expired', 'cancelled', 'answered'] as const;

/** Whether an answer is one of these, as it is or in small letters. */
export function isOneOf(response: Json, answers: readonly Json[]): boolean {
  const word = typeof response === 'string' ? response.trim().toLowerCase() : response;
  return answers.some((answer) => canonical(answer) === canonical(word) || canonical(answer) === canonical(response));
}

function refuse(problem: AnswerError['problem'], interruptId: string, what: string): AnswerError {
  return new AnswerError(`The question ${interruptId} ${what}. Nothing was changed.`, { problem, interruptId });
}
