import { createHash } from 'node:crypto';
import { canonical, type Json } from '../../interventions/index.ts';
import type { Config } from '../config/index.ts';
import type { Configured } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { WorkspaceJournal } from '../recorder/index.ts';
import { workspaceOf } from '../store/index.ts';
import { definitionHash, type Tool } from '../tools/index.ts';

type Recorded =
  | 'times'
  | 'limits'
  | 'model'
  | 'redact'
  | 'signOn'
  | 'instructions'
  | 'rules'
  | 'retention'
  | 'durability'
  | 'openHosts';

export interface ConfigurationParts {
  readonly config: Pick<Config, Recorded>;
  readonly tools: readonly Tool[];
  /** How each tool server is reached, without its secrets. */
  readonly toolServers: readonly string[];
  readonly policyOf: (tool: Tool) => string;
}

/** The configuration in force, for the record: who decides about what, and every setting. A long text is only hashed. */
export function describeConfiguration({ config, tools, toolServers, policyOf }: ConfigurationParts): Configured {
  const { times, limits, model, redact, signOn, instructions, rules, retention, durability, openHosts } = config;
  const facts = {
    tools: tools.map((tool) => ({
      name: tool.name,
      effect: tool.effect,
      definition: definitionHash(tool),
      policy: policyOf(tool),
      approvers: [...tool.approvers],
    })),
    rules: rules.map(({ name, effect, shadow }) => `${name}: ${effect}${shadow === true ? ' (on trial)' : ''}`),
    settings: {
      times: text(times),
      limits: text(limits),
      model: text(model),
      redact: hash(text({ keys: redact.keys, patterns: redact.patterns.map(String) })),
      signOn: hash(text(signOn ?? null)),
      instructions: hash(instructions ?? ''),
      retention: text(retention ?? null),
      durability,
      openHosts: text(openHosts),
      toolServers: text(toolServers),
    },
  };
  return { type: 'configured', configuration: hash(text(facts)), ...facts };
}

function text(value: unknown): string {
  const plain: Json = JSON.parse(JSON.stringify(value));
  return canonical(plain);
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

export interface ConfigurationRecord {
  /** Writes the configuration into the journal of this workspace if it has changed. Never rejects. */
  readonly record: (team: string) => Promise<void>;
}

export function createConfigurationRecord({
  journal,
  shards,
  log,
  describe,
  toolsChanged,
}: {
  readonly journal: WorkspaceJournal;
  readonly shards: number;
  readonly log: Log;
  readonly describe: () => Configured;
  /** Called when the tools differ from those of the configuration that was on record. */
  readonly toolsChanged: (team: string) => void;
}): ConfigurationRecord {
  const recorded = new Set<string>();
  return {
    record: async (team) => {
      if (recorded.has(team)) return;
      const what = 'The configuration is not on record yet; it is tried again with the next run that ends.';
      // The store may be away. The record is for the audit, so no run fails for the lack of it.
      await orLog(log.warn, what, {}, async () => {
        const now = describe();
        const workspace = workspaceOf(team, shards);
        const before = await journal.newest(workspace, 'configured');
        if (before?.configuration !== now.configuration && (await journal.append(workspace, now)) === 'later') return;
        recorded.add(team);
        if (before !== undefined && text(before.tools) !== text(now.tools)) toolsChanged(team);
      });
    },
  };
}
