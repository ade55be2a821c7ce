import { checkOptions, type OptionKind } from './errors.ts';
import type { InterventionEvent } from './hooks/events.ts';
import type { AskExtras } from './human-in-the-loop/ask-parts.ts';
import type { Json } from './messages.ts';
import type { Reaction, Reactions } from './pipeline/reaction.ts';
import type { Settlement } from './pipeline/settlement.ts';

/**
 * What an intervention can answer, and what each answer does at each moment:
 *
 * |           | beforeInvocation | beforeToolCall | beforeModelCall | afterToolCall | afterModelCall |
 * | --------- | ---------------- | -------------- | --------------- | ------------- | -------------- |
 * | proceed   | nothing          | nothing        | nothing         | nothing       | nothing        |
 * | deny      | cancel           | cancel         | cancel          | warning       | warning        |
 * | guide     | cancel           | cancel         | inject          | warning       | inject, retry  |
 * | confirm   | warning          | ask a person   | warning         | warning       | warning        |
 * | transform | apply            | apply          | apply           | apply         | apply          |
 */
export type Action<Event = never> = Proceed | Deny | Guide | Confirm | Transform<Event>;

/** Go on. The reason is for logs. */
export interface Proceed {
  readonly type: 'proceed';
  readonly reason?: string;
}

/** Stop the operation. The reason is what the model reads. */
export interface Deny {
  readonly type: 'deny';
  readonly reason: string;
  /** What happens after a denied tool call. Absent: the model is told, and the run goes on. */
  readonly reaction?: Reaction;
}

/** Advice for the model. The reason is for logs. */
export interface Guide {
  readonly type: 'guide';
  readonly feedback: string;
  readonly reason?: string;
}

/** Change the event in place. Later interventions see the change. */
export interface Transform<Event = InterventionEvent> {
  readonly type: 'transform';
  readonly apply: (event: Event) => void;
  readonly reason?: string;
}

/** Ask a person first. Only a tool call can be confirmed, unless the handler says `confirmEverywhere`. */
export interface Confirm<Extras = AskExtras> {
  readonly type: 'confirm';
  /** For the person, never for the model. */
  readonly prompt: string;
  /** An answer that is known already. Absent: no person has answered yet. */
  readonly response?: Json;
  readonly evaluate: (response: Json) => boolean;
  readonly reason?: string;
  /** Collects the answer while the run waits. Absent: the run pauses and is resumed from outside. */
  readonly ask?: (prompt: string, extras: Extras) => unknown;
  /** `null`: the wait has no limit of its own. */
  readonly askTimeoutMs?: number | null;
  /** Reads an answer that says more than yes or no. Absent: `evaluate` decides. */
  readonly settle?: (response: Json, context: SettleContext) => Settlement;
  /** What is asked, as data. Absent: the prompt alone. */
  readonly question?: Json;
  /** The answers that count. Absent: any. */
  readonly answers?: readonly Json[];
  /** What happens after a decision about a tool call or its result. Absent: the model is told, and the run goes on. */
  readonly reactions?: Reactions;
}

export interface SettleContext {
  /** Approvals that were given before this answer, when several are needed. */
  readonly approvals: readonly Json[];
}

export const proceed = (options?: { readonly reason?: string }): Proceed =>
  options === undefined ? PROCEEDS : made({ type: 'proceed' }, options, REASON);

/** The commonest answer of all, so it is made once. */
const PROCEEDS: Proceed = Object.freeze({ type: 'proceed' });

export const deny = (reason: string, options: { readonly reaction?: Reaction } = {}): Deny =>
  made({ type: 'deny', reason: textOf('deny', 'reason', reason) }, options, { reaction: 'an object' });

export const guide = (feedback: string, options: { readonly reason?: string } = {}): Guide =>
  made({ type: 'guide', feedback: textOf('guide', 'feedback', feedback) }, options, REASON);

export const transform = <Event>(
  apply: (event: Event) => void,
  options: { readonly reason?: string } = {},
): Transform<Event> => made({ type: 'transform', apply }, options, REASON);

export const confirm = <Extras = AskExtras>(
  prompt: string,
  options: Partial<Omit<Confirm<Extras>, 'type' | 'prompt'>> = {},
): Confirm<Extras> =>
  made(
    { type: 'confirm', prompt: textOf('confirm', 'prompt', prompt), evaluate: defaultEvaluate },
    options,
    CONFIRM_OPTIONS,
  );

const REASON = { reason: 'a text' } as const;

/** The compiler sees that each is here. */
export const CONFIRM_OPTIONS: Readonly<Record<keyof Omit<Confirm, 'type' | 'prompt'>, OptionKind>> = {
  response: true,
  evaluate: 'a function',
  reason: 'a text',
  ask: 'a function',
  askTimeoutMs: true,
  settle: 'a function',
  question: true,
  answers: 'a list',
  reactions: 'an object',
};

/** A misspelt option would be passed over, and one called `type` would make another action. */
function made<Made extends Action<never>, Options extends object>(
  action: Made,
  options: Options,
  known: Readonly<Record<string, OptionKind>>,
): Made & Options {
  checkOptions(`${action.type}()`, options, known);
  const both: Made & Options = { ...action, ...options };
  return Object.freeze(both);
}

/** Whether an answer is a yes: `true`, `y` and `yes` are. Everything else is a no, even what looks like agreement. */
export function defaultEvaluate(response: unknown): boolean {
  if (typeof response === 'string') return ['y', 'yes'].includes(response.trim().toLowerCase());
  return response === true;
}

function textOf(action: string, field: string, text: string): string {
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new TypeError(
    `${action}() needs a text as its ${field}, because a person or the model reads it. Give a sentence.`,
  );
}
