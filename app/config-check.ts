import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { builtInTools, ToolDefinitionError, toolTable } from './tools/index.ts';
import { applyPolicy, type ToolPolicy, ToolPolicySchema } from './tools/policy.ts';
import type { Tool } from './tools/tool.ts';

export type { ToolPolicy };

/** What a deployment writes: everything may be left out. */
export interface ConfigInput {
  readonly tools?: readonly Tool[];
  /** By the name of the tool. */
  readonly policy?: Readonly<Record<string, ToolPolicy>>;
  readonly limits?: Partial<Config['limits']>;
  readonly times?: Partial<Config['times']>;
  readonly model?: Partial<Config['model']>;
  /** What the agent should know and heed here; added to its system prompt. */
  readonly instructions?: string;
}

/** What the bot runs on: every value set, the built-in tools among the others, the policy laid over all of them. */
export interface Config {
  readonly tools: readonly Tool[];
  readonly limits: z.output<typeof Limits>;
  readonly times: z.output<typeof Times>;
  readonly model: z.output<typeof Model>;
  readonly instructions?: string | undefined;
}

/** One thing that is wrong, with the place in the configuration. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
  readonly path: readonly PropertyKey[];

  constructor(path: readonly PropertyKey[], problem: string) {
    super(`${z.core.toDotPath(path)} ${problem}.`.trimStart());
    this.path = path;
  }
}

/** Checks a configuration whole, and fills in what was left out. Throws `ConfigProblem`. */
export function checkConfig(input: unknown, deps: { readonly now: () => number }): Config {
  const checked = ConfigSchema.safeParse(input);
  if (!checked.success) throw problemOf(checked.error);
  const { tools, policy, ...rest } = checked.data;

  const table = tableOf([...builtInTools(deps), ...tools]);
  for (const name of Object.keys(policy)) {
    if (table.find(name) === undefined)
      throw new ConfigProblem(
        ['policy', name],
        `names no tool. There are: ${table.all.map((tool) => tool.name).join(', ')}`,
      );
  }
  return { ...rest, tools: table.all.map((tool) => ruled(tool, policy[tool.name])) };
}

/** A deployment's own word on a tool must be possible (P35); a tool it says nothing of is as it was defined. */
function ruled(tool: Tool, policy: ToolPolicy | undefined): Tool {
  if (policy === undefined) return tool;
  const result = applyPolicy(tool, policy);
  if (result.ok) return result.tool;
  throw new ConfigProblem(['policy', tool.name, result.key], result.problem);
}

function tableOf(tools: readonly Tool[]) {
  try {
    return toolTable(tools);
  } catch (error) {
    // Two of one name: the error knows them, and we know where to look.
    if (error instanceof ToolDefinitionError) throw new ConfigProblem(['tools'], `cannot be used: ${error.message}`);
    throw error;
  }
}

function problemOf(error: z.ZodError): ConfigProblem {
  const [first, ...others] = error.issues;
  const more = others.map(({ path, message }) => `; ${z.core.toDotPath(path)} ${message}`).join('');
  return new ConfigProblem(first?.path ?? [], `${first?.message ?? 'is not a configuration'}${more}`);
}

const count = z.number('must be a number').int('must be a whole number').positive('must be above 0');
const ms = count.max(2 ** 31 - 1, 'must be at most 24 days: it is in milliseconds');

const price = z.number('must be a number').nonnegative('must not be negative');

const Limits = z.strictObject({
  turnsPerRun: count.default(LIMITS.turnsPerRun),
  toolCallsPerTurn: count.default(LIMITS.toolCallsPerTurn),
  toolOutputChars: count.default(LIMITS.toolOutputChars),
});

const Times = z.strictObject({
  /** Nobody answered for this long: the approval is expired, which is not a no. */
  approvalLifetimeMs: count.default(LIMITS.approvalLifetimeMs),
  /** A wait that is longer goes on from the journal. */
  hotMs: ms.default(LIMITS.hotMs),
  /** For a tool that names no limit of its own. */
  toolTimeoutMs: ms.default(60_000),
});

const Model = z
  .strictObject({
    /** `ANTHROPIC_MODEL` goes first. */
    name: z.string('must be the name of a model').min(1, 'must be the name of a model').default('claude-sonnet-5-5'),
    maxTokens: count.default(16_000),
    /** As the model sees fit, or with so many tokens. 0 says nothing about it. */
    thinking: z
      .union(
        [z.literal('adaptive'), z.literal(0), z.number().int().min(1024)],
        "must be 'adaptive', 0, or 1024 and more",
      )
      .default(0),
    /** Of a million tokens, in your currency: with them, costs are counted. */
    prices: z.strictObject({ input: price, output: price, cacheRead: price, cacheWrite: price }).optional(),
    /** Until the first word from the provider. */
    timeoutMs: ms.default(60_000),
    /** A stream that says nothing for this long is given up. */
    silenceMs: ms.default(90_000),
    attempts: count.default(6),
  })
  .refine(({ thinking, maxTokens }) => thinking === 'adaptive' || thinking < maxTokens, {
    path: ['thinking'],
    message: 'must be below maxTokens, which holds the thinking and the answer',
  });

const ToolSchema = z.custom<Tool>(
  (value) =>
    z.object({ inputSchema: z.unknown(), parse: z.custom((parse) => typeof parse === 'function') }).safeParse(value)
      .success,
  'is not a tool. Write: defineTool({ … })',
);

const ConfigSchema = z.strictObject(
  {
    tools: z.array(ToolSchema, 'must be a list of tools').default([]),
    policy: z.record(z.string(), ToolPolicySchema).default({}),
    limits: Limits.prefault({}),
    times: Times.prefault({}),
    model: Model.prefault({}),
    instructions: z.string('must be text').max(50_000, 'must be at most 50,000 characters').optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? undefined : 'the default export must be defineConfig({ … })',
  },
);
