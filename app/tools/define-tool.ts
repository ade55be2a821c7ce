import { z } from 'zod';
import type { Json } from '../../interventions/index.ts';
import type { ParsedInput } from '../agent/index.ts';
import { errorText, shortened } from '../log.ts';
import { boundaryBefore } from './output.ts';
import { DEFAULT_TRUST, type DefinedTool, type ToolDefinition } from './tool.ts';
import { checkDefinition, ToolDefinitionError } from './tool-check.ts';

/** Makes a tool from its definition. Every fault in the definition is reported here, at start, and not in a thread. */
export function defineTool<Schema extends z.ZodObject>(
  definition: ToolDefinition<Schema>,
): DefinedTool<z.output<Schema>> {
  checkDefinition(definition);
  const { name, description, effect = 'asked', preview, precondition, summarise } = definition;
  // An unknown key is refused: if it were dropped in silence, the model would believe that it had an effect.
  const schema = definition.input.def.catchall === undefined ? definition.input.strict() : definition.input;
  const inputSchema = jsonSchemaOf(name, schema);

  const parse = (input: Json): ParsedInput => {
    try {
      const parsed = schema.safeParse(input);
      if (!parsed.success) return { ok: false, problem: describeProblems(input, parsed.error) };
      return { ok: true, input: JSON.parse(JSON.stringify(parsed.data)) };
      // A check in the tool's own schema may throw. That is a problem with the input, not the end of the run.
    } catch (error) {
      const why = errorText(error);
      return { ok: false, problem: `its check failed (${why}).` };
    }
  };
  /** Repeats the check that `parse` made before people were asked. The same input always gives the same result. */
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
    neverHide: definition.neverHide,
    origin: 'deployment',
    parse,
    typed: checked,
    summarise: (input, failed) => {
      try {
        return oneSentence(summarise?.(checked(input)) ?? '') || `Run ${name}.`;
        // The deployment's own function may throw. People still see the input itself, so a plain sentence is enough.
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

/** Cuts the summary of a call to one line for the card, because it may quote text of the model at any length. */
function oneSentence(text: string): string {
  const line = text
    .slice(0, 10 * SENTENCE_CHARS)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= SENTENCE_CHARS ? line : `${line.slice(0, boundaryBefore(line, SENTENCE_CHARS))}…`;
}

function jsonSchemaOf(name: string, schema: z.ZodObject): Json {
  try {
    // The output of the schema must be plain JSON too, because people see it and the journal keeps it.
    z.toJSONSchema(schema, { io: 'output' });
    const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
    return JSON.parse(JSON.stringify(shape));
    // zod throws for a type that JSON does not have. The author of the tool hears which tool it is and what to do.
  } catch (cause) {
    const why = errorText(cause);
    throw new ToolDefinitionError(
      name,
      `has an input that JSON cannot hold (${why}). Use plain types, and convert them in run`,
      { cause },
    );
  }
}

/** Says what is wrong with an input. The caller puts the name of the tool in front. */
function describeProblems(input: Json, error: z.ZodError): string {
  if (typeof input === 'string') return 'it is not valid JSON, or nested too deeply. Send it again as one JSON object.';
  const problems = error.issues.slice(0, 10).map(({ path, message }) => {
    const place = z.core.toDotPath(path);
    return place === '' ? message : `${place}: ${message}`;
  });
  const more = error.issues.length - problems.length;
  return `${shortened(problems.join('; '))}${more > 0 ? `; and ${more} more` : ''}.`;
}
