import { ConfigurationError, canonical } from '../../../interventions/index.ts';
import type { LoopTool } from '../index.ts';
import { onFailure } from '../on-failure.ts';

/** Tools that are fetched at first use, and released afterwards. */
export interface ToolProvider {
  readonly loadTools: () => Promise<readonly LoopTool[]>;
  readonly cleanup?: () => Promise<void> | void;
}

/** A source that can become a tool, such as an agent. */
export interface ToolLike {
  readonly asTool: () => LoopTool;
}

export type ToolSource = LoopTool | ToolProvider | ToolLike | readonly ToolSource[];

/** Reads the tools of a folder. The caller that hands it in decides that their code may run here. */
export type DirectoryLoader = () => Promise<readonly LoopTool[]>;

export interface ToolBox {
  /** The tools known so far. Fetched tools are included from first use on. */
  readonly tools: () => readonly LoopTool[];
  /** Whether no tool is fetched later. */
  readonly complete: boolean;
  readonly load: () => Promise<void>;
  /** Releases what the providers hold, once however often it is called. */
  readonly cleanup: () => Promise<void>;
}

export function createToolBox(sources: readonly ToolSource[], loadDirectory: DirectoryLoader | undefined): ToolBox {
  const { tools, providers } = flatten(sources);
  let known = checked(tools);
  let loading: Promise<void> | undefined;
  let cleaning: Promise<void> | undefined;
  const loadAll = async () => {
    const loaded = await Promise.all(providers.map((provider) => provider.loadTools()));
    const found = loadDirectory === undefined ? [] : await loadDirectory();
    known = checked([...tools, ...loaded.flat(), ...found]);
  };
  return {
    tools: () => known,
    complete: providers.length === 0 && loadDirectory === undefined,
    load: () => {
      // A provider may fail. The caller gets the failure, and the next use tries again.
      loading ??= onFailure(loadAll, () => {
        loading = undefined;
      });
      return loading;
    },
    cleanup: () => {
      cleaning ??= releaseAll(providers);
      return cleaning;
    },
  };
}

/** Releases all providers, even when some of them fail. */
async function releaseAll(providers: readonly ToolProvider[]): Promise<void> {
  const ends = await Promise.allSettled(providers.map(async (provider) => provider.cleanup?.()));
  const failures = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, 'Some tool providers failed to clean up. See `errors` for the reasons.');
}

interface Flat {
  readonly tools: readonly LoopTool[];
  readonly providers: readonly ToolProvider[];
}

function flatten(sources: readonly ToolSource[]): Flat {
  const flat = sources.map((source): Flat => {
    if (typeof source !== 'object' || source === null) throw noTool(source);
    if (isList(source)) return flatten(source);
    if ('asTool' in source) return { tools: [source.asTool()], providers: [] };
    if ('loadTools' in source) return { tools: [], providers: [source] };
    return { tools: [source], providers: [] };
  });
  return { tools: flat.flatMap(({ tools }) => tools), providers: flat.flatMap(({ providers }) => providers) };
}

function noTool(source: unknown): ConfigurationError {
  return new ConfigurationError(
    `${canonical(source).slice(0, 100)} in tools is no tool. Give { name, description, inputSchema, parse, run }, an agent, or a provider with loadTools().`,
  );
}

function isList(source: ToolSource): source is readonly ToolSource[] {
  return Array.isArray(source);
}

function checked(tools: readonly LoopTool[]): readonly LoopTool[] {
  for (const tool of tools) {
    const { name, description, inputSchema, parse, run } = tool ?? {};
    const functions = typeof parse === 'function' && typeof run === 'function';
    const texts = typeof name === 'string' && name !== '' && typeof description === 'string';
    if (!functions || !texts || inputSchema === undefined) throw noTool(tool);
  }
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return tools;
  throw new ConfigurationError(`Two tools are called ${JSON.stringify(twice)}. Rename one of them.`);
}
