import type { z } from 'zod';
import type { Json } from '../../interventions/index.ts';
import type { ParsedInput, ToolOutput, ToolSpec } from '../agent/index.ts';
import type { Thread, ToolEffect, TrustOffer, UserId, Wants } from '../records/index.ts';
import type { Deadlines } from './deadlines.ts';
import type { DecisionTerms, FindApprovers, StageTerms } from './deciders.ts';

/** What one press of Trust covers for this tool. */
export interface TrustPreset extends Pick<TrustOffer, 'match' | 'scope' | 'forMs'> {
  /** For `match: 'fields'`: these fields must be the same again; all others may differ. */
  readonly fields?: readonly string[] | undefined;
  readonly uses?: number | undefined;
}

declare const INPUT: unique symbol;

/** A tool whose type of input is known to the code that names it, as in a rule about its calls. */
export interface DefinedTool<Input> extends Tool {
  readonly [INPUT]?: (input: Input) => void;
}

/** Called when a part of a tool failed and the call goes on without it. */
export type PartFailed = (part: 'summarise' | 'preview' | 'precondition', cause: unknown) => void;

export interface ToolRunHelp {
  /** Aborted when the run is stopped or the time limit is reached: stop, and leave nothing half done. */
  readonly signal: AbortSignal;
  /**
   * An idempotency key: the same for every attempt at one call, different for every call. If the tool calls an outside
   * service that takes such a key, as payment services do, hand it on. The service then does a repeated call only once.
   */
  readonly key: string;
  /** Writes a line into the log of the process, with the run, the call and the tool, and without the secrets of the input. */
  readonly log: (text: string) => void;
  /** The thread of the run and the person it works for; undefined for a run outside of Slack. */
  readonly thread: Thread | undefined;
  readonly requester: UserId | undefined;
  /** Everyone whose message the agent had read when it asked for this call, the requester among them. Empty outside of Slack. */
  readonly steeredBy: readonly UserId[];
}

/**
 * What a tool is handed when it only looks: no key to act under, no thread, no requester. It looks before a person has
 * approved, so it must change nothing and needs no credentials of the call.
 */
export interface LookHelp {
  readonly signal: AbortSignal;
}

/** A tool as a deployment writes it. */
export interface ToolDefinition<Schema extends z.ZodObject> extends Omit<DecisionTerms, 'findApprovers'> {
  readonly name: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  readonly input: Schema;
  /** Default: `asked`. */
  readonly effect?: ToolEffect;
  /** Why this class is right. Required for an open tool. */
  readonly because?: string;
  /** Safe to run again after a crash, when its outcome is unknown. */
  readonly idempotent?: boolean;
  readonly timeoutMs?: number;
  /** One sentence for people: what this call will do. */
  readonly summarise?: (input: z.output<Schema>) => string;
  /** Describes what would change, for the card. It must change nothing itself. */
  readonly preview?: (input: z.output<Schema>, help: LookHelp) => Promise<string> | string;
  /**
   * The state that an approval rests on: read when people are asked and again right before the call runs. If it has changed
   * by then, the call does not run and people are asked again. It must change nothing itself.
   */
  readonly precondition?: (input: z.output<Schema>, help: LookHelp) => Promise<Json> | Json;
  /** Default of an asked tool: trust in any input, in this thread, for one hour. */
  readonly trust?: TrustPreset;
  /** Decided on a page outside of Slack, by an approver who is signed on there. For guarded tools. */
  readonly secondFactor?: boolean;
  /** Members of the input that are always shown in full, because they say what is done: a command, a query. */
  readonly neverHide?: readonly string[];
  readonly run: (input: z.output<Schema>, help: ToolRunHelp) => Promise<ToolOutput | Json> | ToolOutput | Json;
}

/** A tool as the bot holds it. Every function takes plain JSON and checks it again, so no caller can hand on a wrong shape. */
export interface Tool extends ToolSpec {
  readonly effect: ToolEffect;
  readonly because: string | undefined;
  readonly idempotent: boolean;
  readonly timeoutMs: number | undefined;
  /** Set for an asked tool only. */
  readonly trust: TrustPreset | undefined;
  readonly approvers: readonly string[];
  readonly findApprovers?: FindApprovers | undefined;
  readonly quorum?: number | undefined;
  readonly stages?: readonly StageTerms[] | undefined;
  readonly selfApproval: boolean;
  /** The deployment's times for this tool; absent: those of every tool. */
  readonly deadlines?: Deadlines | undefined;
  readonly secondFactor?: boolean | undefined;
  readonly neverHide?: readonly string[] | undefined;
  /** The tool is a question to a person. The answer is its result, so there is nothing to approve or to trust. */
  readonly wants?: ((input: Json) => Wants) | undefined;
  /** The source of the definition: `built in`, `deployment`, or the name of a tool server. */
  readonly origin: string;
  /** Identifies all that a tool server says of the tool, which may be more than the other fields hold. */
  readonly fingerprint?: string | undefined;
  /** Its tool server has changed it since it was allowed. */
  readonly changed?: true | undefined;
  /** Reads an input as the tool takes it: defaults are filled in, and unknown keys are refused. */
  readonly parse: (input: Json) => ParsedInput;
  /** Reads an input by the tool's own schema, for rules about its calls. Throws if the input does not fit. */
  readonly typed?: ((input: Json) => unknown) | undefined;
  /** Always gives a sentence: a plain one if the tool's own function throws. */
  readonly summarise: (input: Json, failed?: PartFailed) => string;
  readonly preview: ((input: Json, help: LookHelp) => Promise<string>) | undefined;
  readonly precondition: ((input: Json, help: LookHelp) => Promise<Json>) | undefined;
  /** Rejects when the tool throws, or when the input does not fit. Use `runTool`. */
  readonly run: (input: Json, help: ToolRunHelp) => Promise<unknown>;
}

export const DEFAULT_TRUST: TrustPreset = { match: 'any', scope: 'thread', forMs: 60 * 60 * 1000 };
