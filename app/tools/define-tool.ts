import { z } from 'zod';
import type { Json } from '../../interventions/index.ts';
import type { ParsedInput } from '../agent/index.ts';
import { boundaryBefore } from './output.ts';
import { DEFAULT_TRUST, type DefinedTool, type ToolDefinition } from './tool.ts';
import { checkDefinition, ToolDefinitionError } from './tool-check.ts';

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
