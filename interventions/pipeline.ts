import { type Action, defaultEvaluate } from './actions.ts';
import type { Profile } from './answer.ts';
import type { Settled } from './ask.ts';
import { canonicalCall } from './canonical.ts';
import { AbortedError, HandlerFailureError, InterruptError } from './errors.ts';
import type { InterventionEvent, ToolView } from './events.ts';
import { checkHandlers, type Handler, overrides } from './handler.ts';
import { isPromise, type Timers, within } from './time.ts';
import { EFFECTS, type Effect, fold, type Heard, type Noted, type Verdict } from './verdict.ts';

export interface PipelineParts {
  readonly handlers: readonly Handler[];
  readonly timers: Timers;
  readonly profile?: Profile;
  readonly handlerTimeoutMs?: number;
  /** One line for each thing that was not done as asked. */
  readonly warn?: (warning: Warning) => void;
  /** Each answer, as it is given. */
  readonly heard?: (decision: Decided) => void;
}

export interface Warning {
  readonly handler: string;
  readonly event: string;
  readonly action?: string;
  readonly policy?: string;
  readonly message: string;
}

export interface Decided {
  readonly handler: string;
  readonly event: InterventionEvent;
  readonly action: string;
  readonly reason?: string;
  readonly durationMs: number;
}

export interface Pipeline {
  readonly handlers: readonly Handler[];
  /**
   * Asks each handler in turn, in the order they were given.
   *
   * A deny ends it: later handlers must not see a call that will not run. A confirm is only noted: people are asked
   * last, and about everything at once. Advice does not end it; all of it is gathered, so that the model hears it
   * together. `settle` is used by the `reference` profile alone, which asks on the spot.
   */
  readonly consult: (event: InterventionEvent, settle?: (noted: Noted) => Promise<Settled>) => Promise<Verdict>;
}

const DEFAULT_HANDLER_TIMEOUT_MS = 30_000;
/** A call that is still changing after this many looks is not going to settle. */
const LOOKS = 5;

export function createPipeline(parts: PipelineParts): Pipeline {
  const { profile = 'strict', heard, warn } = parts;
  const handlers = [...parts.handlers];
  checkHandlers(handlers);
  const listening = (event: InterventionEvent) =>
    handlers.filter((handler) => overrides(handler, event.type) && !spared(handler, event));

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
    consult: async (event, settle) => {
      const answers: Judged[] = [];
      for (const handler of listening(event)) {
        const seen = see(event);
        const sinceMs = event.nowMs;
        const made = judge(handler, event, parts);
        const answer = isPromise(made) ? await made : made;
        note(event, answer, sinceMs);
        answers.push({ answer, seen: changes(answer) ? see(event) : seen });
        if (stops(answer)) break;
        if (profile === 'reference' && answer.type === 'heard' && answer.action.type === 'confirm') {
          const settled = await settle?.({ handler, confirm: answer.action });
          if (settled !== undefined && settled.type !== 'approved') return { type: 'settled', settled };
        }
      }
      return await lookAgain(event, answers);
    },
  };

  /** What a gate judged is not what would run: it judges again, until nothing changes any more. */
  async function lookAgain(event: InterventionEvent, answers: Judged[]): Promise<Verdict> {
    for (let look = 0; look < LOOKS; look += 1) {
      const verdict = fold(answers.map(({ answer }) => answer));
      const stale = answers.findIndex(({ answer, seen }) => isGate(answer) && !same(seen, see(event)));
      const judged = answers[stale];
      if (judged === undefined || verdict.type === 'deny') return verdict;
      const seen = see(event);
      const sinceMs = event.nowMs;
      const made = judge(judged.answer.handler, event, parts);
      const answer = isPromise(made) ? await made : made;
      note(event, answer, sinceMs);
      answers[stale] = { answer, seen: changes(answer) ? see(event) : seen };
    }
    return {
      type: 'deny',
      handler: 'pipeline',
      text: 'DENIED: Handlers kept changing this tool call, so what would run could not be established.',
    };
  }
}

interface Judged {
  readonly answer: Heard;
  readonly seen: Seen | undefined;
}

interface Seen {
  readonly call: string;
  readonly tool: ToolView | undefined;
}

function see(event: InterventionEvent): Seen | undefined {
  if (event.type !== 'beforeToolCall') return undefined;
  return { call: canonicalCall(event.effective()), tool: event.tool };
}

function same(one: Seen | undefined, other: Seen | undefined): boolean {
  return one?.call === other?.call && one?.tool === other?.tool;
}

/** Failed model calls belong to the retry strategy: nobody advises about them unless they ask to see them. */
function spared(handler: Handler, event: InterventionEvent): boolean {
  return event.type === 'afterModelCall' && event.stopData === undefined && handler.observesFailures !== true;
}

function judge(handler: Handler, event: InterventionEvent, parts: PipelineParts): Heard | Promise<Heard> {
  try {
    const made = call(handler, event);
    if (!isPromise(made)) return hear(handler, event, made);
    return within(made, limitOf(handler, event, parts))
      .then((action) => hear(handler, event, action))
      .catch((error: unknown) => fail(handler, event, error, parts));
  } catch (error) {
    return fail(handler, event, error, parts);
  }
}

/** Each case repeats the name, because only so does the compiler pair a method with its own event. */
function call(handler: Handler, event: InterventionEvent): unknown {
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

function hear(handler: Handler, event: InterventionEvent, returned: unknown): Heard {
  const action = checked(returned, { handler: handler.name, event: event.type });
  const effect = effectOf(event, action.type);
  if (action.type === 'transform' && effect === 'apply') action.apply(event);
  return { type: 'heard', handler, effect, action };
}

/** Advice about a failed model call has no effect: sending it back at once would go around the retry strategy. */
function effectOf(event: InterventionEvent, action: Action['type']): Effect {
  if (action === 'guide' && event.type === 'afterModelCall' && event.stopData === undefined) return 'warn';
  return EFFECTS[event.type][action];
}

/** A missing answer and one of an unknown kind are failures: unknown means no. */
function checked(returned: unknown, where: { readonly handler: string; readonly event: string }): Action<unknown> {
  const wrong = (what: string) =>
    new HandlerFailureError(
      `${where.handler}.${where.event} ${what}. Return proceed(), deny(), guide(), confirm() or transform().`,
      where,
    );
  if (typeof returned !== 'object' || returned === null || !('type' in returned)) {
    throw wrong('returned no action');
  }
  // Checked by kind below; a plain object of the right shape is as good as a made one.
  const action = returned as Action<unknown>;
  switch (action.type) {
    case 'proceed':
      return action;
    case 'deny':
      if (!isText(action.reason)) throw wrong('denied without a reason');
      return action;
    case 'guide':
      if (!isText(action.feedback)) throw wrong('guided without feedback');
      return action;
    case 'confirm':
      if (!isText(action.prompt)) throw wrong('asked without a prompt');
      return typeof action.evaluate === 'function' ? action : { ...action, evaluate: defaultEvaluate };
    case 'transform':
      if (typeof action.apply !== 'function') throw wrong('transformed without a function');
      return action;
    default:
      throw wrong(`returned an action of an unknown kind (${JSON.stringify(Reflect.get(returned, 'type'))})`);
  }
}

const isText = (text: unknown): boolean => typeof text === 'string' && text !== '';

/** What a failure means is the handler's choice, except that a gate's failure never means yes. */
function fail(handler: Handler, event: InterventionEvent, error: unknown, { warn }: PipelineParts): Heard {
  if (error instanceof InterruptError || error instanceof AbortedError) throw error;
  // A handler that fails because it is given up has not failed.
  if (event.signal.aborted) throw new AbortedError(event.signal.reason);
  const { name, onError: policy = 'throw' } = handler;
  if (policy === 'throw') throw error;
  const reason = error instanceof Error ? error.message : String(error);
  const message = `${name} failed on ${event.type} (${policy}): ${reason}`;
  warn?.({ handler: name, event: event.type, policy, message });
  if (policy === 'proceed' && handler.gate !== true) {
    return { type: 'heard', handler, effect: 'nothing', action: { type: 'proceed' } };
  }
  return { type: 'failed', handler, text: `DENIED: Handler threw: ${reason}` };
}

function limitOf(handler: Handler, event: InterventionEvent, parts: PipelineParts) {
  const timeoutMs = parts.handlerTimeoutMs ?? DEFAULT_HANDLER_TIMEOUT_MS;
  const where = { handler: handler.name, event: event.type };
  return {
    signal: event.signal,
    timers: parts.timers,
    timeoutMs,
    onTimeout: () => new HandlerFailureError(`${handler.name}.${event.type} gave no answer in ${timeoutMs} ms.`, where),
  };
}

function stops(answer: Heard): boolean {
  return answer.type === 'failed' || answer.effect === 'cancel';
}

function changes(answer: Heard): boolean {
  return answer.type === 'heard' && answer.effect === 'apply';
}

function isGate(answer: Heard): boolean {
  return answer.handler.gate === true || (answer.type === 'heard' && answer.effect === 'confirm');
}

function reasonOf(action: Action<unknown>): { readonly reason?: string } {
  const reason = action.type === 'guide' ? action.feedback : action.type === 'confirm' ? action.prompt : action.reason;
  return reason === undefined ? {} : { reason };
}
