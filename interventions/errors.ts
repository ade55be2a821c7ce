import { canonical, read, textOf } from './canonical.ts';
import type { Interrupt } from './pipeline/interrupt.ts';

/** The base of everything this library throws on purpose. Messages say what happened, why, and what to do. */
export class InterventionError extends Error {
  override readonly name: string = 'InterventionError';
}

/** `InterruptedStateError` has to be a `TypeError`, and `instanceof InterventionError` is true for it as well. */
Object.defineProperty(InterventionError, Symbol.hasInstance, {
  value(this: abstract new () => unknown, error: unknown): boolean {
    const own = Function.prototype[Symbol.hasInstance].call(this, error);
    return own || (this === InterventionError && error instanceof InterruptedStateError);
  },
});

/** The options or handlers of an agent are wrong in a way that could not be safe. */
export class ConfigurationError extends InterventionError {
  override readonly name = 'ConfigurationError';
}

/** What an option has to be. `true`: anything, or it is checked elsewhere. A list: one of these words. */
export type OptionKind = true | keyof typeof KINDS | readonly string[];

const KINDS = {
  'a function': (value: unknown) => typeof value === 'function',
  'a list': (value: unknown) => Array.isArray(value),
  'a text': (value: unknown) => typeof value === 'string',
  'true or false': (value: unknown) => typeof value === 'boolean',
  'an object': (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
} as const;

/** Refuses a misspelt or mistaken option. Passed over in silence, it could have been the one that asks a person. */
export function checkOptions(owner: string, options: object, known: Readonly<Record<string, OptionKind>>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigurationError(`${owner} takes an object with options, and got ${String(options)}. Write { … }.`);
  }
  const names = Object.keys(options);
  const unknown = names.filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) {
    const all = Object.keys(known).join(', ');
    throw new ConfigurationError(
      `${owner} has no option ${unknown.join(', ')}. Check the spelling; its options are: ${all}.`,
    );
  }
  for (const name of names) {
    const value: unknown = Reflect.get(options, name);
    const kind = known[name] ?? true;
    if (value === undefined || isOfKind(value, kind)) continue;
    const needed = typeof kind === 'string' ? kind : `one of ${String(kind).replaceAll(',', ', ')}`;
    throw new ConfigurationError(
      `${owner} has the option ${name} with ${canonical(value).slice(0, 100)}. Give ${needed}, or leave it out.`,
    );
  }
}

function isOfKind(value: unknown, kind: OptionKind): boolean {
  if (kind === true) return true;
  return typeof kind === 'string' ? KINDS[kind](value) : kind.some((word) => word === value);
}

/**
 * Refuses what is no number, because each comparison with it would be false. With `finite` it also refuses an infinite
 * number, because JSON stores that as null.
 */
export function checkNumbers(numbers: Readonly<Record<string, unknown>>, finite: boolean): void {
  for (const [name, number] of Object.entries(numbers)) {
    if (number === undefined || (finite ? Number.isFinite(number) : number === Number(number))) continue;
    const kind = finite ? 'finite number' : 'number';
    throw new ConfigurationError(`${name} is ${String(number)}. Give a ${kind}, or leave it out.`);
  }
}

/** Refuses what is no hash, because different calls would then look the same: a yes to one would count for the other. */
export function checkHash(owner: string, hash: unknown): void {
  const [one, other]: unknown[] = typeof hash === 'function' ? [hash('one'), hash('other')] : [];
  if (typeof one === 'string' && typeof other === 'string' && one !== other) return;
  throw new ConfigurationError(
    `${owner} needs a function hash that gives different texts for different texts, and no promise, such as SHA-256 in hex.`,
  );
}

/** What a thrown value says. Any value can be thrown, also one that cannot be turned into a text. */
export function thrownText(thrown: unknown): string {
  const message = typeof thrown === 'object' && thrown !== null ? read(thrown, 'message') : undefined;
  if (typeof message === 'string') return message;
  const text = textOf(thrown);
  return typeof text === 'string' ? text : 'a value without a text was thrown';
}

/** The same behind the kind of error, for the owner of the agent. */
export function thrownWithKind(thrown: unknown): string {
  const text = thrownText(thrown);
  return thrown instanceof Error ? [read(thrown, 'name'), text].filter(isText).join(': ') : text;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** A handler threw, answered nothing, answered nonsense or took too long. */
export class HandlerFailureError extends InterventionError {
  override readonly name = 'HandlerFailureError';
  readonly handler: string;
  readonly event: string;

  constructor(message: string, where: { readonly handler: string; readonly event: string; readonly cause?: unknown }) {
    super(message, { cause: where.cause });
    this.handler = where.handler;
    this.event = where.event;
  }
}

/** The failure of a handler as the caller gets it: with the handler, the event, what to do, and the cause. */
export function handlerFailure(
  error: unknown,
  { isOpen = false, ...where }: { readonly handler: string; readonly event: string; readonly isOpen?: boolean },
): unknown {
  if (PASSED_ON.some((kind) => error instanceof kind)) return error;
  const reason = thrownText(error);
  const message = [
    `${where.handler} failed on ${where.event}, which ends the invocation because its onError is throw.`,
    isOpen ? 'Its question is open again: answer it otherwise, dismiss it, or mend the handler,' : 'Mend the handler,',
    `or set its onError to deny. The cause: ${reason}`,
  ].join(' ');
  return new HandlerFailureError(message, { ...where, cause: error });
}

/** Control flow, not a failure: a question for a person has no answer yet, so the run pauses. */
export class InterruptError extends InterventionError {
  override readonly name = 'InterruptError';
  readonly interrupts: readonly Interrupt[];

  constructor(interrupts: readonly Interrupt[]) {
    super(`Waiting for an answer to ${interrupts.map(({ name }) => JSON.stringify(name)).join(', ')}.`);
    this.interrupts = interrupts;
  }
}

/** The agent waits for answers and was given something else, which it cannot take now. */
export class InterruptedStateError extends TypeError {
  override readonly name = 'InterruptedStateError';
}

/** An answer that cannot be used. Nothing was changed. */
export class AnswerError extends InterventionError {
  override readonly name = 'AnswerError';
  readonly problem: 'unknown' | 'expired' | 'decided' | 'duplicate' | 'missing' | 'invalid';
  readonly interruptId: string;

  constructor(message: string, answer: { readonly problem: AnswerError['problem']; readonly interruptId: string }) {
    super(message);
    this.problem = answer.problem;
    this.interruptId = answer.interruptId;
  }
}

/** Another caller is using this agent, or has already resumed it. */
export class ConcurrencyError extends InterventionError {
  override readonly name = 'ConcurrencyError';
}

/** The invocation was aborted. Nothing may start any more. */
export class AbortedError extends InterventionError {
  override readonly name = 'AbortedError';
  readonly reason: unknown;

  constructor(reason: unknown) {
    super(`The invocation was given up (${thrownWithKind(reason)}). Nothing more was started.`);
    this.reason = reason;
  }
}

/** Handlers gave too much advice, and `whenReached` is `throw`. */
export class GuidanceCapError extends InterventionError {
  override readonly name = 'GuidanceCapError';
}

/**
 * What allowed a call was lost between the decision and the start: a revoked trust, a changed tool. A tool runner
 * throws it before it starts anything. The call is then evaluated again from the beginning.
 */
export class GateChangedError extends InterventionError {
  override readonly name = 'GateChangedError';
}

/** Control flow, and failures that name their handler already. */
const PASSED_ON = [InterruptError, AbortedError, ConcurrencyError, GateChangedError, HandlerFailureError];
