import { type Action, CONFIRM_OPTIONS, type Confirm, defaultEvaluate } from '../actions.ts';
import { isAlmostJsonAround } from '../app-state.ts';
import {
  AbortedError,
  checkNumbers,
  checkOptions,
  HandlerFailureError,
  handlerFailure,
  InterruptError,
  InterventionError,
  thrownText,
} from '../errors.ts';
import type { InterventionEvent } from '../hooks/events.ts';
import type { Warning } from '../hooks/loop-event.ts';
import { isPromise, type Timers, within } from '../time.ts';
import { type AnyHandler, mayAsk, type OnError } from './handler.ts';
import { checkReactions } from './reaction.ts';
import { type ActionEffect, EFFECTS, type Heard } from './ruling.ts';

export interface HandlerParts {
  readonly timers: Timers;
  readonly handlerTimeoutMs?: number;
  /** Called for each answer that was not carried out. */
  readonly warn?: (warning: Warning) => void;
}

const DEFAULT_HANDLER_TIMEOUT_MS = 30_000;

/** Asks one handler about one event. Awaits nothing when the handler answers at once. */
export function judge(handler: AnyHandler, event: InterventionEvent, parts: HandlerParts): Heard | Promise<Heard> {
  // The invocation was aborted while earlier handlers were asked, so no more are.
  if (event.signal.aborted) throw new AbortedError(event.signal.reason);
  try {
    const made = call(handler, event);
    if (!isPromise(made)) return hear(handler, event, made);
    return (
      within(made, limitOf(handler, event, parts))
        .then((action) => hear(handler, event, action))
        // A handler may reject, answer nonsense or take too long. `fail` applies its policy.
        .catch((error: unknown) => fail(handler, event, error, parts))
    );
    // A handler may throw or answer nonsense. `fail` applies its policy.
  } catch (error) {
    return fail(handler, event, error, parts);
  }
}

/** Each case repeats the name, because only then does the compiler pair a method with its event. */
function call(handler: AnyHandler, event: InterventionEvent): unknown {
  switch (event.type) {
    case 'beforeInvocation':
      return handler.beforeInvocation?.(event);
    case 'beforeToolCall':
      return handler.beforeToolCall?.(event);
    case 'beforeModelCall':
      return handler.beforeModelCall?.(event);
    case 'afterToolCall':
      return handler.afterToolCall?.(event);
    case 'afterModelCall':
      return handler.afterModelCall?.(event);
  }
}

function hear(handler: AnyHandler, event: InterventionEvent, returned: unknown): Heard {
  const action = checked(returned, { handler: handler.name, event: event.type });
  const effect = effectOf(handler, event, action.type);
  if (action.type === 'transform') applyAtOnce(action.apply, event, handler.name);
  return { type: 'heard', handler, effect, action };
}

/** A change that comes later would come after the gates, or not at all. */
function applyAtOnce(apply: (event: InterventionEvent) => unknown, event: InterventionEvent, handler: string): void {
  const applied = apply(event);
  if (!isPromise(applied)) return;
  // The error below is the one that is reported, so a later rejection of the promise is ignored.
  void Promise.allSettled([applied]);
  throw new HandlerFailureError(
    `${handler}.${event.type} transformed with an async function, whose change comes too late. Await first, then return transform().`,
    { handler, event: event.type },
  );
}

/**
 * The effect of an action: the matrix and its exceptions. Advice about a failed model call has none, because it would
 * bypass the retry strategy. With `confirmEverywhere`, a handler may ask wherever something can be held back.
 */
function effectOf(handler: AnyHandler, event: InterventionEvent, action: Action['type']): ActionEffect {
  if (action === 'confirm' && handler.confirmEverywhere === true && event.type !== 'afterModelCall') {
    return event.type === 'afterToolCall' && !event.executed ? 'nothing' : 'confirm';
  }
  if (action === 'guide' && event.type === 'afterModelCall' && event.stopData === undefined) return 'warn';
  return EFFECTS[event.type][action];
}

/** Checks an answer. A missing one and one of an unknown kind are failures: unknown means no. */
function checked(returned: unknown, where: { readonly handler: string; readonly event: string }): Action<unknown> {
  const wrong = (what: string) =>
    new HandlerFailureError(
      `${where.handler}.${where.event} ${what}. Return proceed(), deny(), guide(), confirm() or transform().`,
      where,
    );
  if (typeof returned !== 'object' || returned === null || !('type' in returned)) {
    throw wrong('returned no action');
  }
  // The kind is checked below. A plain object of the right shape counts as well.
  const action = returned as Action<unknown>;
  switch (action.type) {
    case 'proceed':
      return action;
    case 'deny':
      if (!isText(action.reason)) throw wrong('denied without a reason');
      if (action.reaction !== undefined) checkReactions({ denied: action.reaction }, where.handler);
      return action;
    case 'guide':
      if (!isText(action.feedback)) throw wrong('guided without feedback');
      return action;
    case 'confirm':
      if (!isText(action.prompt)) throw wrong('asked without a prompt');
      checkConfirm(action, where.handler);
      return action.evaluate === undefined ? { ...action, evaluate: defaultEvaluate } : action;
    case 'transform':
      if (typeof action.apply !== 'function') throw wrong('transformed without a function');
      return action;
    default:
      throw wrong(`returned an action of an unknown kind (${JSON.stringify(Reflect.get(returned, 'type'))})`);
  }
}

/** A confirm that is a plain object may hold anything. What is wrong with it must not show only when a person has answered. */
function checkConfirm({ type: _type, prompt: _prompt, ...options }: Confirm, handler: string): void {
  checkOptions(`The confirm of ${handler}`, options, CONFIRM_OPTIONS);
  const { askTimeoutMs, reactions } = options;
  if (askTimeoutMs !== undefined && askTimeoutMs !== null) checkNumbers({ askTimeoutMs }, true);
  if (reactions !== undefined) checkReactions(reactions, handler);
  // Only a question that waits is stored.
  if (options.question === undefined || options.ask !== undefined || isAlmostJsonAround(options.question)) return;
  throw new InterventionError(
    `The question of ${handler} holds what JSON cannot hold, so it could not be stored. Give plain data.`,
  );
}

const isText = (text: unknown): boolean => typeof text === 'string' && text !== '';

/** Applies the policy of a failed handler. The failure of a handler that may ask people never means yes. */
function fail(handler: AnyHandler, event: InterventionEvent, error: unknown, { warn }: HandlerParts): Heard {
  if (error instanceof InterruptError || error instanceof AbortedError) throw error;
  // A handler that fails because of the abort has not failed.
  if (event.signal.aborted) throw new AbortedError(event.signal.reason);
  const { name } = handler;
  const policy = policyOf(handler, event.type);
  if (policy === 'throw') throw handlerFailure(error, { handler: name, event: event.type });
  const skipped = policy === 'proceed' && !mayAsk(handler, event.type);
  warn?.(failureWarning(handler, event.type, error, skipped));
  if (skipped) {
    return { type: 'heard', handler, effect: 'nothing', action: { type: 'proceed' } };
  }
  return { type: 'failed', handler, text: `DENIED: Handler threw: ${thrownText(error)}` };
}

/** What is said of a failure that does not end the run. */
export function failureWarning(handler: AnyHandler, event: string, error: unknown, skipped = false): Warning {
  const { name } = handler;
  const policy = policyOf(handler, event);
  const stays = policy === 'proceed' && !skipped ? ', which may ask people and is therefore not skipped' : '';
  return {
    handler: name,
    event,
    policy,
    message: `${name} failed on ${event} (${policy}${stays}): ${thrownText(error)}`,
  };
}

function policyOf({ onError = 'throw', onAnswerError = onError }: AnyHandler, event: string): OnError {
  return event === 'afterModelCall' ? onAnswerError : onError;
}

function limitOf(handler: AnyHandler, event: InterventionEvent, parts: HandlerParts) {
  const timeoutMs = parts.handlerTimeoutMs ?? DEFAULT_HANDLER_TIMEOUT_MS;
  const where = { handler: handler.name, event: event.type };
  return {
    signal: event.signal,
    timers: parts.timers,
    timeoutMs,
    onTimeout: () =>
      new HandlerFailureError(
        `${handler.name}.${event.type} gave no answer in ${timeoutMs} ms. Answer sooner, or raise the limit.`,
        where,
      ),
  };
}
