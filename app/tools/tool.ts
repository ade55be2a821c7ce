import type { z } from 'zod';
import type { Json } from '../../interventions/index.ts';
import type { ParsedInput, ToolOutput, ToolSpec } from '../agent/index.ts';
import type { Thread, ToolEffect, TrustOffer, UserId, Wants } from '../records/index.ts';
import type { Deadlines } from './deadlines.ts';
import type { DecisionTerms, StageTerms } from './deciders.ts';

/** What one press of Trust offers for this tool. */
export interface TrustPreset extends Pick<TrustOffer, 'match' | 'scope' | 'forMs'> {
  /** For `match: 'fields'`: what these were, they have to be again; everything else may differ. */
  readonly fields?: readonly string[] | undefined;
  readonly uses?: number | undefined;
}

declare const INPUT: unique symbol;

/** A tool whose input is known where it is named, as in a rule about its calls. */
export interface DefinedTool<Input> extends Tool {
  readonly [INPUT]?: (input: Input) => void;
}

/** Told of a part of a tool that failed, where the call goes on without it. */
export type PartFailed = (part: 'summarise' | 'preview' | 'precondition', cause: unknown) => void;

export interface ToolRunHelp {
  /** Aborted when the run is stopped or the time limit is reached: stop, and leave nothing half done. */
  readonly signal: AbortSignal;
  /** The same for every attempt at one call, different for every call: hand it on to make a repeat harmless. */
  readonly key: string;
  /** Writes a line into the log of the process, with the run, the call and the tool, and without the secrets of the input. */
  readonly log: (text: string) => void;
  /** Where the run takes place and whom it works for; undefined when it works for nobody in a thread. */
  readonly thread: Thread | undefined;
  readonly requester: UserId | undefined;
}

/**
 * What a tool is handed when it only looks: no key to act under, no thread, nobody it works for. Looking happens before
 * anybody said yes, so it must change nothing and needs no credentials of the call.
 */
export interface LookHelp {
  readonly signal: AbortSignal;
}

/** What a deployment writes. */
export interface ToolDefinition<Schema extends z.ZodObject> extends DecisionTerms {
  readonly name: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  readonly input: Schema;
  /** Left out, the tool is asked. */
  readonly effect?: ToolEffect;
  /** Why this class is right. An open tool must say. */
  readonly because?: string;
  /** Safe to run again after a crash, when it is not known whether it finished. */
  readonly idempotent?: boolean;
  readonly timeoutMs?: number;
  /** One sentence for people: what this call will do. */
  readonly summarise?: (input: z.output<Schema>) => string;
  /** What would change, for the card. It must change nothing itself. */
  readonly preview?: (input: z.output<Schema>, help: LookHelp) => Promise<string> | string;
  /**
   * What a yes rests on: looked at when people are asked and again right before it runs. If it is another by then, the
   * call does not run and people are asked again. It must change nothing itself.
   */
  readonly precondition?: (input: z.output<Schema>, help: LookHelp) => Promise<Json> | Json;
  /** Left out, an asked tool offers trust in any input, in this thread, for one hour. */
  readonly trust?: TrustPreset;
  /** Decided on a page outside of Slack, by somebody signed on there. For guarded tools. */
  readonly secondFactor?: boolean;
  readonly run: (input: z.output<Schema>, help: ToolRunHelp) => Promise<ToolOutput | Json> | ToolOutput | Json;
}

/** What the bot holds: every function takes plain JSON and checks it again, so no caller can hand on a wrong shape. */
export interface Tool extends ToolSpec {
  readonly effect: ToolEffect;
  readonly because: string | undefined;
  readonly idempotent: boolean;
  readonly timeoutMs: number | undefined;
  /** Set when the tool is asked, and only then. */
  readonly trust: TrustPreset | undefined;
  readonly approvers: readonly string[];
  readonly quorum?: number | undefined;
  readonly stages?: readonly StageTerms[] | undefined;
  readonly selfApproval: boolean;
  /** What the deployment lays down about waiting; without it, what holds for every tool. */
  readonly deadlines?: Deadlines | undefined;
  readonly secondFactor?: boolean | undefined;
  /** It is a question to a person: their answer is its result, and there is nothing to approve or to trust. */
  readonly wants?: ((input: Json) => Wants) | undefined;
  /** Where the definition comes from: `built in`, `deployment`, or the name of a tool server. */
  readonly origin: string;
  /** Names all that a tool server says of the tool, where that is more than is shown here. */
  readonly fingerprint?: string | undefined;
  /** The input as the tool takes it: defaults filled in, anything unknown refused. */
  readonly parse: (input: Json) => ParsedInput;
  /** As the tool's own schema reads it, for rules about its calls. Throws where the input does not fit. */
  readonly typed?: ((input: Json) => unknown) | undefined;
  /** Always a sentence: a tool's own that throws gives way to the plain one. */
  readonly summarise: (input: Json, failed?: PartFailed) => string;
  readonly preview: ((input: Json, help: LookHelp) => Promise<string>) | undefined;
  readonly precondition: ((input: Json, help: LookHelp) => Promise<Json>) | undefined;
  /** Rejects when the tool throws, or when the input does not fit. Use `runTool`. */
  readonly run: (input: Json, help: ToolRunHelp) => Promise<unknown>;
}

export const DEFAULT_TRUST: TrustPreset = { match: 'any', scope: 'thread', forMs: 60 * 60 * 1000 };
