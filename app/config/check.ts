import { z } from 'zod';
import { problemWithCaps, problemWithRules } from '../authority/index.ts';
import {
  applyPolicy,
  type BuiltInDeps,
  builtInTools,
  defineTool,
  type FolderTool,
  impossibleDeadline,
  type Tool,
  ToolDefinitionError,
  type ToolPolicy,
  toolTable,
} from '../tools/index.ts';
import { type Config, ConfigSchema } from './shape.ts';

/** The provider's own name for its search. */
const WEB_SEARCH = 'web_search';

/** One thing that is wrong, with the place in the configuration. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
  readonly path: readonly PropertyKey[];

  constructor(path: readonly PropertyKey[], problem: string) {
    super(`${z.core.toDotPath(path)} ${problem}.`.trimStart());
    this.path = path;
  }
}

export interface CheckConfigDeps extends Omit<BuiltInDeps, 'openHosts'> {
  readonly folderTools?: readonly FolderTool[];
}

/** Checks a configuration whole, and fills in what was left out. Throws `ConfigProblem`. */
export function checkConfig(input: unknown, { folderTools = [], ...deps }: CheckConfigDeps): Config {
  const checked = ConfigSchema.safeParse(input);
  if (!checked.success) throw problemOf(checked.error);
  const { tools, policy, openHosts, ...rest } = checked.data;

  // The configuration may also name a tool of the folder: the same one is not two.
  const given = new Set([...tools, ...folderTools.map(({ tool }) => tool)]);
  const table = tableOf([...builtInTools({ ...deps, openHosts }), ...given]);
  for (const [name, rules] of Object.entries(policy)) {
    if (table.find(name) === undefined) checkServerPolicy(name, rules, table.all);
  }
  if (rest.model.webSearch !== undefined && table.find(WEB_SEARCH) !== undefined)
    throw new ConfigProblem(
      ['model', 'webSearch'],
      `cannot be on while a tool is called ${WEB_SEARCH}. Rename the tool`,
    );
  for (const [name, rules] of Object.entries(policy)) {
    const wrong = impossibleDeadline(rules, rest.times.approvalLifetimeMs);
    if (wrong !== undefined) throw new ConfigProblem(['policy', name, wrong.key], wrong.problem);
  }
  const all = table.all.map((tool) => ruled(tool, policy[tool.name]));
  const cap = problemWithCaps(rest.limits, all, rest.model.prices !== undefined);
  if (cap !== undefined) throw new ConfigProblem(['limits', ...cap.path], cap.problem);
  const problem = problemWithRules(rest.rules, all);
  if (problem !== undefined) throw new ConfigProblem(['rules', problem.index, problem.key], problem.problem);
  return { ...rest, tools: all, folderTools, policy, toolsFolder: undefined, toolServers: undefined };
}

/** What a tool server will offer is not known yet; what can be wrong with a policy whatever it offers, is. */
function checkServerPolicy(name: string, rules: ToolPolicy, tools: readonly Tool[]): void {
  if (!/^[a-zA-Z0-9_-]+?__[a-zA-Z0-9_-]+$/.test(name))
    throw new ConfigProblem(
      ['policy', name],
      `names no tool. There are: ${tools.map((tool) => tool.name).join(', ')}. A tool of a tool server is named server__tool`,
    );
  ruled(defineTool({ name: 'to_come', description: 'To come.', input: z.object({}), run: () => '' }), rules, name);
}

/** A deployment's own word on a tool must be possible (P35); a tool it says nothing of is as it was defined. */
function ruled(tool: Tool, policy: ToolPolicy | undefined, name = tool.name): Tool {
  if (policy === undefined) return tool;
  const result = applyPolicy(tool, policy);
  if (result.ok) return result.tool;
  throw new ConfigProblem(['policy', name, result.key], result.problem);
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
