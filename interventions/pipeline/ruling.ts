import type { Action, Confirm, Deny } from '../actions.ts';
import type { InterventionEvent } from '../hooks/events.ts';
import type { Settled } from '../human-in-the-loop/ask-parts.ts';
import { unreachable } from '../unreachable.ts';
import type { AnyHandler } from './handler.ts';
import { type HandlerReaction, handlerReaction } from './reaction.ts';

/** What all handlers together say about one event. */
export type Ruling =
  | { readonly type: 'proceed' }
  | {
      readonly type: 'deny';
      readonly handler: string;
      readonly text: string;
      readonly reactions?: readonly HandlerReaction[];
    }
  | {
      readonly type: 'guide';
      readonly feedback: string;
      readonly handlers: readonly AnyHandler[];
      /** Questions that remain if the advice does not count. */
      readonly noted: readonly Noted[];
    }
  | { readonly type: 'confirm'; readonly noted: readonly Noted[] }
  /** `noted` was asked already, as in the `reference` profile, and its answer ends the evaluation. */
  | { readonly type: 'settled'; readonly noted: Noted; readonly settled: Settled };

export const PROCEED: Ruling = Object.freeze({ type: 'proceed' });

/** A question that waits until all handlers have been asked. */
export interface Noted {
  readonly handler: AnyHandler;
  readonly confirm: Confirm;
}

/** The open questions of a verdict. Advice before a model call stops nothing, so its questions remain. */
export function questionsOf(verdict: Ruling): readonly Noted[] {
  return verdict.type === 'confirm' || verdict.type === 'guide' ? verdict.noted : [];
}

export type ActionEffect = 'nothing' | 'cancel' | 'collect' | 'confirm' | 'apply' | 'warn';

/** The matrix: one row for each moment, one effect for each action. A `ConfirmingHandler` confirms at three more moments. */
export const EFFECTS = {
  beforeInvocation: { proceed: 'nothing', deny: 'cancel', guide: 'collect', confirm: 'warn', transform: 'apply' },
  beforeToolCall: { proceed: 'nothing', deny: 'cancel', guide: 'collect', confirm: 'confirm', transform: 'apply' },
  beforeModelCall: { proceed: 'nothing', deny: 'cancel', guide: 'collect', confirm: 'warn', transform: 'apply' },
  afterToolCall: { proceed: 'nothing', deny: 'warn', guide: 'warn', confirm: 'warn', transform: 'apply' },
  afterModelCall: { proceed: 'nothing', deny: 'warn', guide: 'collect', confirm: 'warn', transform: 'apply' },
} as const satisfies Record<InterventionEvent['type'], Record<Action['type'], ActionEffect>>;

/** The answer of one handler. `failed` is a failure whose policy is to deny. */
export type Heard =
  | {
      readonly type: 'heard';
      readonly handler: AnyHandler;
      readonly effect: ActionEffect;
      readonly action: Action<unknown>;
    }
  | { readonly type: 'failed'; readonly handler: AnyHandler; readonly text: string };

/** Whether no later answer counts. */
export function stops(answer: Heard): boolean {
  return answer.type === 'failed' || answer.effect === 'cancel';
}

/** Folds answers into a verdict: deny beats everything, advice beats questions, questions beat proceeding. Pure. */
export function fold(answers: readonly Heard[]): Ruling {
  const noted: Noted[] = [];
  const guiding: { readonly handler: AnyHandler; readonly line: string }[] = [];
  for (const answer of answers) {
    if (answer.type === 'failed') return { type: 'deny', handler: answer.handler.name, text: answer.text };
    const { handler, effect, action } = answer;
    switch (effect) {
      case 'cancel':
        if (action.type === 'deny') return denial(handler.name, action);
        break;
      case 'collect':
        if (action.type === 'guide') guiding.push({ handler, line: `[${handler.name}] ${action.feedback}` });
        break;
      case 'confirm':
        if (action.type === 'confirm') noted.push({ handler, confirm: action });
        break;
      case 'nothing':
      case 'apply':
      case 'warn':
        break;
      default:
        return unreachable(effect);
    }
  }
  if (guiding.length > 0) {
    const feedback = guiding.map(({ line }) => line).join('\n');
    return { type: 'guide', feedback, handlers: guiding.map(({ handler }) => handler), noted };
  }
  return noted.length > 0 ? { type: 'confirm', noted } : PROCEED;
}

function denial(handler: string, { reason, reaction }: Deny): Ruling {
  const reactions = handlerReaction(handler, reaction);
  return { type: 'deny', handler, text: `DENIED: ${reason}`, ...(reactions.length === 0 ? {} : { reactions }) };
}

/** The only place where a verdict changes an event. */
export function applyVerdict(event: InterventionEvent, verdict: Ruling): void {
  if (verdict.type === 'deny') denyEvent(event, verdict.text);
  if (verdict.type === 'guide') guideEvent(event, verdict.feedback);
}

function denyEvent(event: InterventionEvent, text: string): void {
  switch (event.type) {
    case 'beforeInvocation':
    case 'beforeToolCall':
    case 'beforeModelCall':
      event.cancel = text;
      return;
    case 'afterToolCall':
      event.result = {
        type: 'toolResult',
        toolUseId: event.result.toolUseId,
        status: 'error',
        content: [{ type: 'text', text }],
      };
      event.retry = false;
      return;
    case 'afterModelCall':
      event.retry = false;
      if (event.stopData === undefined) return;
      event.stopData.message = { role: 'assistant', content: [{ type: 'text', text }], origin: 'intervention' };
      event.stopData.stopReason = 'endTurn';
      return;
    default:
      unreachable(event);
  }
}

/** Applies advice. Before a model call it only adds a message, which the loop does. */
function guideEvent(event: InterventionEvent, feedback: string): void {
  switch (event.type) {
    case 'beforeInvocation':
    case 'beforeToolCall':
      event.cancel = `GUIDANCE: ${feedback}`;
      return;
    case 'afterModelCall':
      event.retry = true;
      return;
    case 'beforeModelCall':
    case 'afterToolCall':
      return;
    default:
      unreachable(event);
  }
}
