import { canonical } from '../canonical.ts';
import { InterventionError } from '../errors.ts';
import type { Json, Message, StopReason } from '../messages.ts';
import type { InterruptRequest, RaiseInterrupt } from '../pipeline/interrupt.ts';
import { type EventContext, LoopEvent } from './loop-event.ts';

/** `true` cancels with a default text. */
export type Cancel = boolean | string;

/** An event whose operation a callback or handler can cancel. */
export abstract class CancellableEvent extends LoopEvent {
  #cancel: Cancel = false;

  get cancel(): Cancel {
    return this.#cancel;
  }
  /** `undefined` is no value, so it does not cancel. */
  set cancel(cancel: Cancel | undefined) {
    if (cancel !== undefined && typeof cancel !== 'boolean' && typeof cancel !== 'string') {
      throw new InterventionError(
        `cancel of ${this.type} was set to ${canonical(cancel)}. Set it to true, a text or false.`,
      );
    }
    this.#cancel = cancel ?? false;
  }
}

export class BeforeInvocationEvent extends CancellableEvent {
  get type() {
    return 'beforeInvocation' as const;
  }
  /** What people say to the agent, in one form. May be edited in place or replaced. */
  messages: Message[];
  readonly #interrupt: RaiseInterrupt;

  constructor(
    context: EventContext,
    fields: { readonly messages: readonly Message[]; readonly interrupt?: RaiseInterrupt },
  ) {
    super(context);
    this.messages = [...fields.messages];
    this.#interrupt = fields.interrupt ?? cannotPause;
  }
  /** Asks a person whether to begin. Returns the answer, or pauses until there is one. The input is kept meanwhile. */
  interrupt(request: InterruptRequest): Json {
    return this.#interrupt(request);
  }
}

export interface BeforeModelCallFields {
  readonly messages: readonly Message[];
  readonly attempt: number;
  readonly guidanceCount: number;
  readonly interrupt?: RaiseInterrupt;
}

export class BeforeModelCallEvent extends CancellableEvent {
  readonly #attempt: number;
  readonly #guidanceCount: number;
  /** What the model is shown in this one call. The transcript stays unchanged. */
  messages: readonly Message[];

  readonly #interrupt: RaiseInterrupt;

  constructor(context: EventContext, fields: BeforeModelCallFields) {
    super(context);
    this.messages = fields.messages;
    this.#interrupt = fields.interrupt ?? cannotPause;
    this.#attempt = fields.attempt;
    this.#guidanceCount = fields.guidanceCount;
  }
  get type() {
    return 'beforeModelCall' as const;
  }
  /** Counts the tries of one turn from 1. */
  get attempt() {
    return this.#attempt;
  }
  /** How often advice has sent this turn back so far. */
  get guidanceCount() {
    return this.#guidanceCount;
  }
  /** Asks a person whether to ask the model. Returns the answer, or pauses the run until there is one. */
  interrupt(request: InterruptRequest): Json {
    return this.#interrupt(request);
  }
}

export interface StopData {
  /** May be edited in place. Its final value is stored and acted upon. */
  message: Message;
  stopReason: StopReason;
}

export class AfterModelCallEvent extends LoopEvent {
  readonly #fields: { readonly attempt: number; readonly guidanceCount: number; readonly error?: unknown };
  readonly #stopData: StopData | undefined;
  /** Set to true to discard the answer and call the model again. */
  retry = false;

  constructor(
    context: EventContext,
    fields: { attempt: number; guidanceCount: number; stopData?: StopData | undefined; error?: unknown },
  ) {
    super(context);
    this.#fields = fields;
    this.#stopData = fields.stopData;
  }
  get type() {
    return 'afterModelCall' as const;
  }
  override get reversed() {
    return true;
  }
  get attempt() {
    return this.#fields.attempt;
  }
  get guidanceCount() {
    return this.#fields.guidanceCount;
  }
  /** Absent when the call failed. */
  get stopData() {
    return this.#stopData;
  }
  /** Absent when the call succeeded. */
  get error() {
    return this.#fields.error;
  }
}

/** Throws, because a question raised here would never reach a person. */
export function cannotPause(): never {
  throw new InterventionError(
    'No person can be asked at this moment, because the loop that made this event cannot pause. Ask elsewhere.',
  );
}
