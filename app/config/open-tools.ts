import { join } from 'node:path';
import type { Clock, Timers } from '../../interventions/index.ts';
import type { Log } from '../log.ts';
import type { PinsJournal } from '../recorder/index.ts';
import { createScrubber, secretsOf } from '../secrets/index.ts';
import { applyPolicy, type FolderTool, type Tool, type ToolTable, toolTable, watchToolFolder } from '../tools/index.ts';
import type { OnElicitation } from '../tools/mcp/index.ts';
import type { Config } from './shape.ts';

export interface OpenToolsDeps {
  readonly config: Pick<Config, 'tools' | 'folderTools' | 'toolsFolder' | 'toolServers' | 'development' | 'policy'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is on record about the tools of tool servers: how they were when they were first seen or allowed. */
  readonly pinsJournal: PinsJournal;
  /** The folder where an older version kept that. */
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onElicitation?: OnElicitation;
}

/** All tools of a running bot: those of the configuration, and those that come and go while it runs. */
export interface OpenTools {
  /** The tools at the moment of each look at it. */
  readonly table: ToolTable;
  /** How each tool server is reached, without its secrets. */
  readonly servers: readonly string[];
  readonly close: () => Promise<void>;
}

export async function openTools(deps: OpenToolsDeps): Promise<OpenTools> {
  const { config, log, dataDir, pinsJournal } = deps;
  let own = config.tools;
  const watcher =
    config.development && config.toolsFolder !== undefined
      ? await watchToolFolder({
          folder: config.toolsFolder,
          loaded: config.folderTools,
          log,
          onChange: (loaded) => {
            own = reloaded(own, loaded, deps);
          },
        })
      : undefined;

  const serverPolicy = Object.fromEntries(
    Object.entries(config.policy).filter(([name]) => !config.tools.some((tool) => tool.name === name)),
  );
  if (config.toolServers === undefined) {
    const [name] = Object.keys(serverPolicy);
    if (name !== undefined)
      throw new Error(
        `The policy names ${name}, and there are no tool servers. Add toolServers, or remove the policy.`,
      );
    return { table: liveTable([() => own], log), servers: [], close: async () => watcher?.close() };
  }
  // Most deployments have no tool servers, and their client is slow to load.
  const { createPins, createToolServers, movePinsFile, PINS_FILE } = await import('../tools/mcp/index.ts');
  await movePinsFile(join(dataDir, PINS_FILE), pinsJournal, log);
  const pins = createPins(pinsJournal);
  const servers = await createToolServers({ ...deps, file: config.toolServers, pins, policy: serverPolicy });
  return {
    table: liveTable([() => own, servers.tools], log),
    servers: servers.described.map(createScrubber(secretsOf(deps.env)).scrub),
    close: async () => {
      watcher?.close();
      await servers.close();
    },
  };
}

/** Earlier sources win, so that a server cannot replace a tool that the deployment wrote. */
export function liveTable(sources: readonly (() => readonly Tool[])[], log: Log): ToolTable {
  let seen: readonly (readonly Tool[])[] = [];
  let table = toolTable([]);
  const now = (): ToolTable => {
    const lists = sources.map((source) => source());
    if (lists.length === seen.length && lists.every((list, place) => list === seen[place])) return table;
    seen = lists;
    const byName = new Map<string, Tool>();
    for (const tool of lists.flat()) {
      if (!byName.has(tool.name)) byName.set(tool.name, tool);
      else
        log.warn('Two tools have one name; the later one is left out. Rename one of them.', {
          tool: tool.name,
          origin: tool.origin,
        });
    }
    table = toolTable([...byName.values()]);
    return table;
  };
  now();
  return {
    get all() {
      return now().all;
    },
    find: (name) => now().find(name),
  };
}

/** The tools of the folder as they are now, under the same policy. A tool that the policy does not fit keeps its former form. */
function reloaded(
  own: readonly Tool[],
  loaded: readonly FolderTool[],
  { config, log }: OpenToolsDeps,
): readonly Tool[] {
  const fromFolder = new Set(config.folderTools.map(({ tool }) => tool.name));
  const others = config.tools.filter((tool) => !fromFolder.has(tool.name));
  const next = loaded.flatMap(({ tool, file }) => {
    if (others.some((other) => other.name === tool.name)) {
      log.error('A tool of the folder has the name of another tool and is left out.', { tool: tool.name, file });
      return [];
    }
    const policy = config.policy[tool.name];
    const ruled = policy === undefined ? { ok: true as const, tool } : applyPolicy(tool, policy);
    if (ruled.ok) return [ruled.tool];
    log.error('The policy of a reloaded tool cannot be applied; its former form stays.', {
      file,
      problem: `policy.${tool.name}.${ruled.key} ${ruled.problem}`,
    });
    return own.filter((former) => former.name === tool.name);
  });
  return [...others, ...next];
}
