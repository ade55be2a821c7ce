import { type Confirm, type Deny, type Guide, type Proceed, proceed, type Transform } from '../actions.ts';
import { ConfigurationError } from '../errors.ts';
import type {
  AfterModelCallEvent,
  AfterToolCallEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
} from '../hooks/events.ts';
import type { LifecycleObserver } from '../hooks/hooks.ts';
import type { MomentExtras } from '../human-in-the-loop/ask-parts.ts';

export type Awaitable<Value> = Value | Promise<Value>;

/**
 * What to do when a handler fails. `deny` and `throw` are safe. `proceed` skips the handler, so a gate must not have
 * it. Before a tool call it skips only a handler with `gate: false`, because any other may ask people.
 */
export type OnError = 'throw' | 'deny' | 'proceed';

/**
 * One member of the pipeline. Each moment offers only the answers it can use, so a wrong one does not compile.
 *
 * A method may be called again for the same tool call after a pause. If it let the call pass or asked about it, it is also called
 * again when a later handler changed the call, unless it says `gate: false`. When the event's signal is aborted, the answer is ignored.
 */
export interface Handler extends Partial<LifecycleObserver> {
  readonly name: string;
  readonly onError?: OnError;
  /** What to do in place of that when the handler fails on a model's answer. `proceed` lets the answer stand, also past a gate. */
  readonly onAnswerError?: OnError;
  /**
   * True: decides whether calls may run, is called again when the call changed, and is never skipped when it fails.
   * False: never confirms, so it is not called again, and `onError: 'proceed'` may skip it before a tool call. Absent: may confirm.
   */
  readonly gate?: boolean;
  /** Only a `ConfirmingHandler` asks people about anything but a tool call. */
  readonly confirmEverywhere?: false;
  /** Whether it is asked about failed model calls as well. */
  readonly observesFailures?: boolean;
  /** Whether its advice about a model's answer is used once and then removed from the transcript. */
  readonly temporaryGuidance?: boolean;
  /** Whether its advice quotes the model's answer: as data, and only the beginning of a long one. */
  readonly quoteDiscarded?: boolean;
  /** Throws on a name that no tool has. Called when an agent is made, unless some of its tools come later. */
  checkTools?(toolNames: readonly string[]): void;
  beforeInvocation?(event: BeforeInvocationEvent): Awaitable<Proceed | Deny | Guide | Transform<BeforeInvocationEvent>>;
  beforeToolCall?(
    event: BeforeToolCallEvent,
  ): Awaitable<Proceed | Deny | Guide | Confirm | Transform<BeforeToolCallEvent>>;
  afterToolCall?(event: AfterToolCallEvent): Awaitable<Proceed | Transform<AfterToolCallEvent>>;
  beforeModelCall?(event: BeforeModelCallEvent): Awaitable<Proceed | Deny | Guide | Transform<BeforeModelCallEvent>>;
  afterModelCall?(event: AfterModelCallEvent): Awaitable<Proceed | Guide | Transform<AfterModelCallEvent>>;
}

type Elsewhere = 'confirmEverywhere' | 'beforeInvocation' | 'beforeModelCall' | 'afterToolCall';

/**
 * A handler that also asks people whether an invocation may begin, whether the model may be asked, and whether the
 * result of a tool may be used. It must say `confirmEverywhere`: without it such an answer does not compile and has no
 * effect. It is a gate, so it cannot be open on failure.
 */
export interface ConfirmingHandler extends Omit<Handler, Elsewhere> {
  readonly confirmEverywhere: true;
  beforeInvocation?(
    event: BeforeInvocationEvent,
  ): Awaitable<Proceed | Deny | Guide | Confirm<MomentExtras> | Transform<BeforeInvocationEvent>>;
  beforeModelCall?(
    event: BeforeModelCallEvent,
  ): Awaitable<Proceed | Deny | Guide | Confirm<MomentExtras> | Transform<BeforeModelCallEvent>>;
  /** The tool has run, and is not run again however long people take. People are not asked about a call that did not run. */
  afterToolCall?(event: AfterToolCallEvent): Awaitable<Proceed | Confirm | Transform<AfterToolCallEvent>>;
}

export type AnyHandler = Handler | ConfirmingHandler;

export type LifecycleMethod =
  | 'beforeInvocation'
  | 'beforeToolCall'
  | 'afterToolCall'
  | 'beforeModelCall'
  | 'afterModelCall';

const METHODS: readonly LifecycleMethod[] = [
  'beforeInvocation',
  'beforeToolCall',
  'afterToolCall',
  'beforeModelCall',
  'afterModelCall',
];

/** An optional base class: every moment proceeds until it is overridden, and only overridden ones are called. */
export abstract class InterventionHandler implements Handler {
  abstract readonly name: string;
  readonly onError: OnError = 'throw';

  beforeInvocation(
    _event: BeforeInvocationEvent,
  ): Awaitable<Proceed | Deny | Guide | Transform<BeforeInvocationEvent>> {
    return proceed();
  }
  beforeToolCall(
    _event: BeforeToolCallEvent,
  ): Awaitable<Proceed | Deny | Guide | Confirm | Transform<BeforeToolCallEvent>> {
    return proceed();
  }
  afterToolCall(_event: AfterToolCallEvent): Awaitable<Proceed | Transform<AfterToolCallEvent>> {
    return proceed();
  }
  beforeModelCall(_event: BeforeModelCallEvent): Awaitable<Proceed | Deny | Guide | Transform<BeforeModelCallEvent>> {
    return proceed();
  }
  afterModelCall(_event: AfterModelCallEvent): Awaitable<Proceed | Guide | Transform<AfterModelCallEvent>> {
    return proceed();
  }
}

/** Whether the handler has this method and it is not the base class's own. Methods of plain objects count too. */
export function overrides(handler: AnyHandler, method: LifecycleMethod): boolean {
  const found = handler[method];
  return typeof found === 'function' && found !== InterventionHandler.prototype[method];
}

/** Whether the handler is a gate, whose failure cannot mean yes. */
export function isGate(handler: AnyHandler): boolean {
  return handler.gate === true || handler.confirmEverywhere === true;
}

/** Whether the handler may ask people at this moment, so that its failure cannot mean yes. No people are asked about an answer. */
export function mayAsk(handler: AnyHandler, moment: LifecycleMethod): boolean {
  if (moment === 'afterModelCall') return false;
  return isGate(handler) || (moment === 'beforeToolCall' && handler.gate !== false);
}

/** Refuses handlers that could not be safe, before anything runs. */
export function checkHandlers(handlers: readonly AnyHandler[]): void {
  if (!Array.isArray(handlers)) {
    throw new ConfigurationError('The interventions are no list. Put the handlers into one: [handler].');
  }
  const names = new Set<string>();
  for (const handler of handlers) {
    checkOnce(handler);
    if (names.has(handler.name)) {
      throw new ConfigurationError(`Duplicate intervention handler name: ${handler.name}. Give each handler its own.`);
    }
    names.add(handler.name);
  }
}

/** The members of each handler that was checked. Each run checks its handlers, and most of them have not changed. */
const CHECKED = new WeakMap<AnyHandler, readonly unknown[]>();

/** Checks a handler unless all that is checked is as it was. */
function checkOnce(handler: AnyHandler): void {
  const known = CHECKED.get(handler);
  if (known !== undefined && MEMBERS.every((member, at) => handler[member] === known[at])) return;
  checkHandler(handler);
  CHECKED.set(
    handler,
    MEMBERS.map((member) => handler[member]),
  );
}

function checkHandler(handler: AnyHandler): void {
  const { name, onError = 'throw', onAnswerError = onError } = handler ?? {};
  if (typeof name !== 'string' || name === '') {
    throw new ConfigurationError('An intervention handler has no name, so records could not say who decided. Name it.');
  }
  for (const method of FUNCTIONS) {
    if (handler[method] === undefined || typeof handler[method] === 'function') continue;
    throw new ConfigurationError(`${method} of ${name} is no function, so it would judge nothing. Write a method.`);
  }
  for (const flag of FLAGS) {
    if (handler[flag] === undefined || typeof handler[flag] === 'boolean') continue;
    throw new ConfigurationError(`${flag} of ${name} is ${String(handler[flag])}. Use true or false.`);
  }
  if (handler.observeAgent === undefined && !METHODS.some((method) => overrides(handler, method))) {
    throw new ConfigurationError(
      `The handler ${name} has none of the methods ${METHODS.join(', ')}, so it would judge nothing. Check the spelling.`,
    );
  }
  for (const [member, policy] of Object.entries({ onError, onAnswerError })) {
    if (['throw', 'deny', 'proceed'].includes(policy)) continue;
    throw new ConfigurationError(`${member} of ${name} is ${String(policy)}. Use throw, deny or proceed.`);
  }
  if (isGate(handler) && onError === 'proceed') {
    throw new ConfigurationError(`${name} is a gate, so its failure cannot mean yes. Use onError throw or deny.`);
  }
}

const FUNCTIONS = [...METHODS, 'observeAgent', 'checkTools'] as const;
const FLAGS = ['gate', 'confirmEverywhere', 'observesFailures', 'temporaryGuidance', 'quoteDiscarded'] as const;
const MEMBERS = ['name', 'onError', 'onAnswerError', ...FUNCTIONS, ...FLAGS] as const;
