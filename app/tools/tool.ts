import { z } from 'zod';
import type { Json } from '../../interventions/index.ts';
import type { ParsedInput, ToolOutput, ToolSpec } from '../agent/index.ts';
import type { Thread, ToolEffect, TrustOffer, UserId, Wants } from '../records/index.ts';
import type { Deadlines } from './deadlines.ts';
import type { DecisionTerms, StageTerms } from './deciders.ts';
import type { LookHelp } from './look.ts';
import { boundaryBefore } from './output.ts';
import { checkDefinition, ToolDefinitionError } from './tool-check.ts';

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

/** Ten lines make a tool. Everything that can be wrong with them is said here, at start, and not in a thread. */
export function defineTool<Schema extends z.ZodObject>(
  definition: ToolDefinition<Schema>,
): DefinedTool<z.output<Schema>> {
  checkDefinition(definition);
  const { name, description, effect = 'asked', preview, precondition, summarise } = definition;
  // A key that nobody reads is refused: dropped in silence, the model would believe that it did something.
  const schema = definition.input.def.catchall === undefined ? definition.input.strict() : definition.input;
  const inputSchema = jsonSchemaOf(name, schema);

  const parse = (input: Json): ParsedInput => {
    // A check of the deployment's own may throw: that is a problem with the input, not the end of the run.
    try {
      const parsed = schema.safeParse(input);
      if (!parsed.success) return { ok: false, problem: describeProblems(input, parsed.error) };
      return { ok: true, input: JSON.parse(JSON.stringify(parsed.data)) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ok: false, problem: `its check failed (${why}).` };
    }
  };
  /** Checked once more, in the same way as before anybody was asked: the same input always becomes the same. */
  const checked = (input: Json): z.output<Schema> => {
    const result = parse(input);
    if (!result.ok) throw new Error(`The input does not fit ${name}: ${result.problem}`);
    return definition.input.parse(result.input);
  };

  return {
    name,
    description,
    inputSchema,
    effect,
    because: definition.because,
    idempotent: definition.idempotent ?? false,
    timeoutMs: definition.timeoutMs,
    trust: effect === 'asked' ? (definition.trust ?? DEFAULT_TRUST) : undefined,
    approvers: definition.approvers ?? [],
    quorum: definition.quorum,
    stages: definition.stages,
    selfApproval:
      definition.selfApproval ?? (definition.approvers?.includes('requester') === true || effect !== 'guarded'),
    secondFactor: definition.secondFactor,
    origin: 'deployment',
    parse,
    typed: checked,
    summarise: (input, failed) => {
      // A sentence is a courtesy: whatever goes wrong in it, the input itself is still shown.
      try {
        return oneSentence(summarise?.(checked(input)) ?? '') || `Run ${name}.`;
      } catch (error) {
        failed?.('summarise', error);
        return `Run ${name}.`;
      }
    },
    preview: preview === undefined ? undefined : async (input, { signal }) => preview(checked(input), { signal }),
    precondition:
      precondition === undefined ? undefined : async (input, { signal }) => precondition(checked(input), { signal }),
    run: async (input, help) => definition.run(checked(input), help),
  };
}

const SENTENCE_CHARS = 200;

/** What a tool says of its call may quote the model's text at any length; on a card it is one line. */
function oneSentence(text: string): string {
  const line = text
    .slice(0, 10 * SENTENCE_CHARS)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= SENTENCE_CHARS ? line : `${line.slice(0, boundaryBefore(line, SENTENCE_CHARS))}…`;
}

function jsonSchemaOf(name: string, schema: z.ZodObject): Json {
  try {
    // What comes out must be plain JSON too, because that is what people see and what is kept.
    z.toJSONSchema(schema, { io: 'output' });
    const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
    return JSON.parse(JSON.stringify(shape));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolDefinitionError(
      name,
      `has an input that JSON cannot hold (${why}). Use plain types, and convert them in run`,
      { cause },
    );
  }
}

/** The end of a sentence that says whose input it is. */
function describeProblems(input: Json, error: z.ZodError): string {
  if (typeof input === 'string') return 'it is not valid JSON. Send it again as one JSON object.';
  const problems = error.issues.slice(0, 10).map(({ path, message }) => {
    const place = z.core.toDotPath(path);
    return place === '' ? message : `${place}: ${message}`;
  });
  const more = error.issues.length - problems.length;
  return `${problems.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
