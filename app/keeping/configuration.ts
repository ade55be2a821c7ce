import { createHash } from 'node:crypto';
import { canonical, type Json } from '../../interventions/index.ts';
import type { Config } from '../config/index.ts';
import type { Configured } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { WorkspaceJournal } from '../recorder/index.ts';
import { type Store, workspaceOf } from '../store/index.ts';
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

/** How often a process looks. It reads a long part of the workspace's journal for that. */
const COMPARED_EVERY_MS = 10 * 60_000;

/**
 * Writes the configuration into the journal of a workspace if it has changed. Later it warns if another process has written
 * another one since. Never rejects.
 */
export function createRecordConfiguration({
  journal,
  store: { shards, isExclusive },
  elapsed,
  log,
  describe,
  toolsChanged,
}: {
  readonly journal: WorkspaceJournal;
  readonly store: Pick<Store, 'shards' | 'isExclusive'>;
  /** Milliseconds that only go up. */
  readonly elapsed: () => number;
  readonly log: Log;
  readonly describe: () => Configured;
  /** Called when the tools differ from those of the configuration that was on record. */
  readonly toolsChanged: (team: string) => void;
}): (team: string) => Promise<void> {
  const recorded = new Map<string, { readonly own: Configured; lookedAtMs: number }>();

  const compare = async (team: string, own: Configured): Promise<void> => {
    const workspace = workspaceOf(team, shards);
    const newest = await journal.newest(workspace, 'configured');
    if (newest?.configuration === own.configuration) return;
    if (newest !== undefined) log.warn(OTHER_CONFIGURATION, { team, differs: differences(own, newest) });
    // The store was emptied meanwhile, unless only a newer version hides what stands there.
    else if ((await journal.latest(workspace)).every(({ type }) => type !== 'configured'))
      await journal.append(workspace, own);
  };

  return async (team) => {
    const known = recorded.get(team);
    if (known !== undefined) {
      // No other process can be on an embedded store.
      if (isExclusive || elapsed() - known.lookedAtMs < COMPARED_EVERY_MS) return;
      known.lookedAtMs = elapsed();
      // The store may be away. The next look comes with a later run.
      return orLog(log.warn, 'The configuration on record could not be read.', { team }, () =>
        compare(team, known.own),
      );
    }
    const what = 'The configuration is not on record yet; it is tried again with the next run that ends.';
    // The store may be away. The record is for the audit, so no run fails for the lack of it.
    await orLog(log.warn, what, {}, async () => {
      const now = describe();
      const workspace = workspaceOf(team, shards);
      const before = await journal.newest(workspace, 'configured');
      if (before?.configuration !== now.configuration && (await journal.append(workspace, now)) === 'later') return;
      recorded.set(team, { own: now, lookedAtMs: elapsed() });
      if (before !== undefined && text(before.tools) !== text(now.tools)) toolsChanged(team);
    });
  };
}

const OTHER_CONFIGURATION =
  'A process that started later has another configuration. While both run, a press at one of them takes back the cards of the other. Start all processes with the same configuration.';

/** The names of the tools and settings that are not the same in both. */
function differences(own: Configured, other: Configured): readonly string[] {
  const parts = ({ tools, rules, settings }: Configured) =>
    new Map([
      ...tools.map((tool) => [tool.name, text(tool)] as const),
      ['rules', text(rules)] as const,
      ...Object.entries(settings),
    ]);
  const [mine, theirs] = [parts(own), parts(other)];
  return [...new Set([...mine.keys(), ...theirs.keys()])].filter((name) => mine.get(name) !== theirs.get(name));
}
