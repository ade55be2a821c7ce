import { canonicalCall } from '../canonical.ts';
import { clone, freezeDeep, isInstance } from '../copy.ts';
import { InterventionError } from '../errors.ts';
import type { Json, ToolResultBlock, ToolUseBlock } from '../messages.ts';
import type { InterruptRequest, RaiseInterrupt } from '../pipeline/interrupt.ts';
import { type EventContext, LoopEvent } from './loop-event.ts';
import {
  type AfterModelCallEvent,
  type BeforeInvocationEvent,
  type BeforeModelCallEvent,
  type Cancel,
  CancellableEvent,
  cannotPause,
} from './turn-events.ts';

export {
  AfterModelCallEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  type BeforeModelCallFields,
  type Cancel,
  type StopData,
} from './turn-events.ts';

/** The moments at which interventions are asked. A property that must not be set has no setter, so writing it throws. */
export type InterventionEvent =
  | BeforeInvocationEvent
  | BeforeToolCallEvent
  | AfterToolCallEvent
  | BeforeModelCallEvent
  | AfterModelCallEvent;

/** What a callback may know of a tool. */
export interface ToolView {
  readonly name: string;
}

export interface BeforeToolCallFields {
  /** The event's own copy: a change to it affects this call only. */
  readonly toolUse: ToolUseBlock;
  readonly selectedTool: ToolView | undefined;
  readonly find: (name: string) => ToolView | undefined;
  readonly attempt: number;
  readonly guidanceCount: number;
  readonly mode: 'model' | 'direct';
  readonly hash: (text: string) => string;
  readonly interrupt: RaiseInterrupt;
  /** False when what allowed this call was lost: trust is not enough this time. */
  readonly trustCounts: boolean;
  /** Whether this handler has asked people about this try: their answer counts, and not a trust that was given meanwhile. */
  readonly hasAsked: (handler: string) => boolean;
}

export class BeforeToolCallEvent extends CancellableEvent {
  readonly #fields: BeforeToolCallFields;
  #toolUse: ToolUseBlock;
  #selectedTool: ToolView | undefined;
  #sealed = false;

  constructor(context: EventContext, fields: BeforeToolCallFields) {
    super(context);
    this.#fields = fields;
    this.#toolUse = fields.toolUse;
    this.#selectedTool = fields.selectedTool;
  }
  get type() {
    return 'beforeToolCall' as const;
  }
  get toolUse(): { name: string; readonly type: 'toolUse'; readonly toolUseId: string; input: Json } {
    return this.#toolUse;
  }
  set toolUse(toolUse: ToolUseBlock) {
    this.#refuseIfSealed('toolUse');
    if (typeof toolUse?.name !== 'string') {
      throw new InterventionError(
        'toolUse of a tool call was set to no call. Set it to { name, input } with the rest of the old one.',
      );
    }
    this.#toolUse = toolUse;
  }
  /** The tool that the model named. Absent when no tool has this name. May be replaced. */
  get selectedTool(): ToolView | undefined {
    return this.#selectedTool;
  }
  set selectedTool(tool: ToolView | undefined) {
    this.#refuseIfSealed('selectedTool');
    if (tool !== undefined && typeof tool?.name !== 'string') {
      throw new InterventionError(
        'selectedTool of a tool call was set to no tool. Set it to a tool, or change toolUse.name.',
      );
    }
    this.#selectedTool = tool;
  }
  override get cancel(): Cancel {
    return super.cancel;
  }
  /** Can be set even on a sealed call, because it only ever stops a call. */
  override set cancel(cancel: Cancel | undefined) {
    if ((cancel ?? false) === false) this.#refuseIfSealed('cancel');
    super.cancel = cancel;
  }
  /** Counts the tries of this call from 1. */
  get attempt() {
    return this.#fields.attempt;
  }
  get guidanceCount() {
    return this.#fields.guidanceCount;
  }
  /** `direct`: the caller of the agent called the tool, not the model. */
  get mode() {
    return this.#fields.mode;
  }
  get trustCounts() {
    return this.#fields.trustCounts;
  }
  /** Whether a handler of this name has asked people about this try of the call. */
  hasAsked(handler: string): boolean {
    return this.#fields.hasAsked(handler);
  }
  get sealed() {
    return this.#sealed;
  }
  /** The tool that would really run: a replaced tool beats a changed name. Absent when there is none. */
  get tool(): ToolView | undefined {
    const selected = this.#selectedTool;
    const replaced = selected !== undefined && selected !== this.#fields.selectedTool;
    return replaced ? selected : this.#fields.find(this.#toolUse.name);
  }
  /** The call that would really run. */
  effective(): { readonly name: string; readonly input: Json } {
    return { name: this.tool?.name ?? this.#toolUse.name, input: this.#toolUse.input };
  }
  /** The digest of the effective name and input as they are now. */
  digest(): string {
    return this.#fields.hash(canonicalCall(this.effective()));
  }
  /** Asks a person. Returns the answer, or pauses the run until there is one. */
  interrupt(request: InterruptRequest): Json {
    return this.#fields.interrupt(request);
  }
  /** Called after the last gate. From then on the call can be stopped but not changed, also not by a handler that holds a part of it. */
  seal(): void {
    this.#sealed = true;
    this.#toolUse = freezeDeep(clone(this.#toolUse, (part) => this.#sealable(part)));
  }
  /** An object that is neither data nor a date can be neither copied nor frozen, so a call with one does not run. */
  #sealable(part: unknown): unknown {
    if (this.cancel === false && isInstance(part) && !(part instanceof Date)) this.cancel = NOT_SEALABLE;
    return part;
  }
  #refuseIfSealed(field: string): void {
    if (!this.#sealed) return;
    throw new InterventionError(
      `${field} of a sealed tool call was changed. Gates have seen it, so it can only be cancelled now. Change it earlier.`,
    );
  }
}

const NOT_SEALABLE =
  'DENIED: The input holds an object that is neither data nor a date. It could change after it was shown, so this tool call did not run.';

export interface AfterToolCallFields {
  readonly toolUse: ToolUseBlock;
  readonly selectedTool: ToolView | undefined;
  readonly result: ToolResultBlock;
  readonly error?: unknown;
  readonly executed: boolean;
  readonly attempt: number;
  readonly refusal?: Refusal;
  readonly interrupt?: RaiseInterrupt;
}

/** Why a tool call never ran. `failed`: there is no such tool, or the input does not fit. */
export type Refusal = 'denied' | 'guided' | 'failed' | 'refused' | 'answered' | 'cancelled';

export class AfterToolCallEvent extends LoopEvent {
  readonly #fields: AfterToolCallFields;
  /** May be edited or replaced. Its final value is announced, stored and shown to the model. */
  result: ToolResultBlock;
  /** Set to true to do the whole call again, with new questions to people. */
  retry = false;

  constructor(context: EventContext, fields: AfterToolCallFields) {
    super(context);
    this.#fields = fields;
    this.result = fields.result;
  }
  get type() {
    return 'afterToolCall' as const;
  }
  override get reversed() {
    return true;
  }
  get toolUse() {
    return this.#fields.toolUse;
  }
  get selectedTool() {
    return this.#fields.selectedTool;
  }
  get error() {
    return this.#fields.error;
  }
  get refusal() {
    return this.#fields.refusal;
  }
  /** Asks a person about the result. Returns the answer, or pauses the run until there is one. The tool is not run again. */
  interrupt(request: InterruptRequest): Json {
    return (this.#fields.interrupt ?? cannotPause)(request);
  }
  /** False when the tool never ran. */
  get executed() {
    return this.#fields.executed;
  }
  /** Counts the tries of this call from 1. */
  get attempt() {
    return this.#fields.attempt;
  }
}
