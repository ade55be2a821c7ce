import { z } from 'zod';
import { problemWithCaps, problemWithRules, problemWithTool } from '../authority/index.ts';
import {
  applyPolicy,
  type BuiltInDeps,
  builtInTools,
  checkWritten,
  defineTool,
  type FolderTool,
  impossibleDeadline,
  mayBeOfServer,
  problemText,
  type Tool,
  ToolDefinitionError,
  type ToolPolicy,
  toolTable,
  type WrittenProblem,
} from '../tools/index.ts';
import { type Config, ConfigSchema } from './shape.ts';

/** The name that the provider gives to its search. */
const WEB_SEARCH = 'web_search';

/** One fault of the configuration, with its place. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
  readonly path: readonly PropertyKey[];

  constructor(path: readonly PropertyKey[], problem: string) {
    super(`${problemText({ path, problem })}.`);
    this.path = path;
  }
}

export interface CheckConfigDeps extends Omit<BuiltInDeps, 'openHosts'> {
  readonly folderTools?: readonly FolderTool[];
}

/** Checks a whole configuration and fills in the defaults. Throws `ConfigProblem`. */
export function checkConfig(input: unknown, { folderTools = [], ...deps }: CheckConfigDeps): Config {
  const checked = checkWritten(ConfigSchema, input);
  if (!checked.ok) throw problemOf(checked.problems);
  const { tools, policy, openHosts, ...rest } = checked.value;

  // The configuration may also name a tool of the folder. The same tool counts once.
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
  for (const tool of all) {
    const wrong = problemWithTool(tool, policy[tool.name] !== undefined);
    if (wrong !== undefined) throw new ConfigProblem(placeOf(tool, policy), wrong);
    checkTrustedFields(tool, policy[tool.name]);
  }
  const cap = problemWithCaps(rest.limits, all, rest.model.prices !== undefined);
  if (cap !== undefined) throw new ConfigProblem(['limits', ...cap.path], cap.problem);
  const problem = problemWithRules(rest.rules, all);
  if (problem !== undefined) throw new ConfigProblem(['rules', problem.index, problem.key], problem.problem);
  return { ...rest, openHosts, tools: all, folderTools, policy, toolsFolder: undefined, toolServers: undefined };
}

/** Where the approvers of a tool are named. A tool that is defined in another file is named by the list of tools. */
function placeOf({ name }: Tool, policy: Readonly<Record<string, ToolPolicy>>): readonly PropertyKey[] {
  const own = policy[name];
  if (own === undefined) return ['tools'];
  return own.stages === undefined ? ['policy', name] : ['policy', name, 'stages'];
}

/** Without this, no card would offer the trust, and its writer would not hear why. */
function checkTrustedFields({ name, inputSchema }: Tool, policy: ToolPolicy | undefined): void {
  const { properties = {} } = z.object({ properties: z.record(z.string(), z.unknown()).optional() }).parse(inputSchema);
  const stray = policy?.trust?.fields?.find((field) => !Object.hasOwn(properties, field));
  if (stray === undefined) return;
  const known = Object.keys(properties).join(', ');
  throw new ConfigProblem(
    ['policy', name, 'trust'],
    `names ${stray}, which is not a field of the input. Write one of these: ${known}`,
  );
}

/** The tools of a server are not known yet. This finds the faults of a policy that no tool could make right. */
function checkServerPolicy(name: string, rules: ToolPolicy, tools: readonly Tool[]): void {
  if (!mayBeOfServer(name))
    throw new ConfigProblem(
      ['policy', name],
      `is not the name of a tool. Write one of these: ${tools.map((tool) => tool.name).join(', ')}. A tool of a tool server is named server__tool`,
    );
  ruled(defineTool({ name: 'to_come', description: 'To come.', input: z.object({}), run: () => '' }), rules, name);
}

/** Applies the deployment's policy to a tool, which must be possible (P35). A tool without one stays as it was defined. */
function ruled(tool: Tool, policy: ToolPolicy | undefined, name = tool.name): Tool {
  if (policy === undefined) return tool;
  const result = applyPolicy(tool, policy);
  if (result.ok) return result.tool;
  throw new ConfigProblem(['policy', name, result.key], result.problem);
}

function tableOf(tools: readonly Tool[]) {
  try {
    return toolTable(tools);
    // Two tools have one name. The error says which, and this adds the place in the configuration.
  } catch (error) {
    if (error instanceof ToolDefinitionError)
      throw new ConfigProblem(['tools'], `cannot be used: ${error.message.replace(/\.$/, '')}`);
    throw error;
  }
}

function problemOf([first, ...others]: readonly WrittenProblem[]): ConfigProblem {
  const more = others.map((each) => `; ${problemText(each)}`).join('');
  return new ConfigProblem(first?.path ?? [], `${first?.problem ?? 'is not a configuration'}${more}`);
}
