import { z } from 'zod';
import { decisionTermsShape, problemWithDeciders } from './deciders.ts';
import { isSecret } from './secret.ts';
import type { Tool } from './tool.ts';
import { checkWritten, problemText } from './written.ts';

/** True for a tool made by `defineTool`. Its functions are not called here. */
export function isTool(value: unknown): value is Tool {
  return Made.safeParse(value).success;
}

/** True for an object without `defineTool` around it. Left out in silence, its author would miss it in a thread. */
export function looksLikeTool(value: unknown): boolean {
  return Meant.safeParse(value).success && !isTool(value);
}

/** A tool that was written wrong. It is found when the tool is defined, so that the start stops and the stack has the line. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError';
  readonly tool: string;

  constructor(tool: string, problem: string, options?: ErrorOptions) {
    super(`Tool "${tool}" ${problem}.`, options);
    this.tool = tool;
  }
}

export const Effect = z.enum(['open', 'asked', 'guarded'], "must be 'open', 'asked' or 'guarded'");

const functionOf = (what: string) => z.custom((value) => typeof value === 'function', `must be a function: ${what}`);

export const Trust = z
  .strictObject({
    match: z.enum(['exact', 'fields', 'any'], "must be 'exact', 'fields' or 'any'"),
    fields: z.array(z.string().min(1, 'must be the name of a field')).min(1, 'must name a field').optional(),
    scope: z.enum(['thread', 'channel', 'requester'], "must be 'thread', 'channel' or 'requester'"),
    forMs: z.number().int('must be whole milliseconds').positive('must be above 0'),
    uses: z.number().int('must be a whole number').positive('must be above 0').optional(),
  })
  .refine(({ match, fields }) => (match === 'fields') === (fields !== undefined), {
    path: ['fields'],
    message: "are for match: 'fields', which needs them",
  });

const anyFunction = z.custom((value) => typeof value === 'function');

/** What every part of the bot reads of a tool. */
const Made = z.object({
  name: z.string(),
  inputSchema: z.unknown(),
  effect: Effect,
  idempotent: z.boolean(),
  approvers: z.array(z.string()),
  selfApproval: z.boolean(),
  origin: z.string(),
  parse: anyFunction,
  summarise: anyFunction,
  run: anyFunction,
});

const Meant = z.object({ name: z.string(), description: z.string(), run: anyFunction });

const positiveMs = z
  .number()
  .int('must be whole milliseconds')
  .positive('must be above 0')
  // A longer timer of Node fires at once.
  .max(2 ** 31 - 1, 'must be at most 24 days: it is in milliseconds');

const Definition = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[a-zA-Z0-9_-]{1,64}$/,
        'must be 1 to 64 letters, digits, underscores or hyphens: the model accepts no other',
      )
      .refine((name) => name.toLowerCase() !== 'all', 'must not be all: `/untrust all` ends the trust in every tool'),
    description: z
      .string({
        error: ({ input }) => (input === undefined ? 'is missing: say in a sentence what the tool does' : undefined),
      })
      .trim()
      .min(1, 'must tell the model what the tool does'),
    input: z.custom(
      (value) => value instanceof z.ZodObject,
      'must be z.object({ … }), with z from the zod this bot uses',
    ),
    effect: Effect.optional(),
    because: z.string().trim().min(1, 'must be a reason, or be left out').optional(),
    idempotent: z.boolean().optional(),
    timeoutMs: positiveMs.optional(),
    summarise: functionOf('(input) => one sentence').optional(),
    preview: functionOf('(input) => text').optional(),
    precondition: functionOf('(input) => text or JSON').optional(),
    trust: Trust.optional(),
    ...decisionTermsShape,
    secondFactor: z.boolean().optional(),
    neverHide: z.array(z.string(), 'must be a list of fields').optional(),
    run: functionOf('(input, help) => result'),
  })
  .superRefine((definition, context) => {
    const {
      effect = 'asked',
      because,
      trust,
      approvers,
      selfApproval,
      quorum,
      stages,
      input,
      secondFactor,
    } = definition;
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (effect === 'open' && because === undefined)
      wrong('because', 'is missing: an open tool runs without asking a person, so say why that is safe');
    if (effect === 'guarded' && trust !== undefined)
      wrong('trust', 'must be left out: a guarded tool is never trusted');
    if (secondFactor === true && effect !== 'guarded')
      wrong('secondFactor', 'is for guarded tools: any other can be trusted from Slack alone');
    if (effect === 'open' && trust !== undefined) wrong('trust', 'must be left out: an open tool never asks');
    if (effect === 'open' && (approvers ?? stages) !== undefined)
      wrong('approvers', 'must be left out: an open tool never asks');
    const fields = input instanceof z.ZodObject ? input.shape : {};
    for (const field of trust?.fields ?? [])
      if (!(field in fields)) wrong('trust', `names ${field}, which is not a field of the input`);
    for (const field of definition.neverHide ?? []) {
      if (!(field in fields)) wrong('neverHide', `names ${field}, which is not a field of the input`);
      else if (isSecret(fields[field])) wrong('neverHide', `names ${field}, which is declared secret`);
    }
    // The deployment may name the approvers of a guarded tool. Approvers that are named here must be possible.
    const named = approvers !== undefined || quorum !== undefined || stages !== undefined || selfApproval === false;
    const problem =
      effect !== 'open' && named && !(effect === 'guarded' && (approvers ?? []).length === 0 && stages === undefined)
        ? problemWithDeciders({ approvers, selfApproval, quorum, stages }, effect)
        : undefined;
    if (problem !== undefined && problem.key !== 'selfApproval') wrong(problem.key, problem.problem);
  });

export function checkDefinition(definition: unknown): void {
  const checked = checkWritten(Definition, definition);
  if (checked.ok) return;
  throw new ToolDefinitionError(nameOf(definition), `cannot be used: ${checked.problems.map(problemText).join('; ')}`);
}

function nameOf(definition: unknown): string {
  const named = z.object({ name: z.string() }).safeParse(definition);
  return named.success ? named.data.name : '(no name)';
}
