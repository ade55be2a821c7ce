import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const CORE = 'interventions/index.ts';

/**
 * What a file may reach at run time; the longest name that fits it decides, and a file that no line fits may import
 * nothing. Types are gone at run time, so they are free, except in the core, which does without even those.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'interventions/': ['interventions/'],
  'interventions/terminal.ts': ['interventions/', 'node:'],
  'handlers/views/': ['handlers/views/'],
  'handlers/': [
    'handlers/',
    'app/records/index.ts',
    'app/surface.ts',
    CORE,
    'zod',
    '@slack/bolt',
    '@slack/oauth',
    '@slack/web-api',
    'node:http',
    'node:crypto',
  ],
  'app/records/index.ts': ['app/records/'],
  'app/records/': ['app/records/', 'zod'],
  'app/limits.ts': [],
  'app/clock.ts': [],
  'app/log.ts': [],
  'app/step.ts': [],
  'app/surface.ts': [],
  'app/ids.ts': ['app/records/index.ts', 'app/store/keys.ts', 'node:crypto', 'app/store/index.ts'],
  'app/config/env-file.ts': [],
  'app/config/environment.ts': ['zod', 'app/log.ts', 'app/secrets/box.ts', 'app/secrets/index.ts'],
  'app/secrets/box.ts': ['zod', 'node:crypto'],
  'app/tools/folder/import-file.ts': ['node:'],
  'app/config/file.ts': [
    'app/config/check.ts',
    'app/config/shape.ts',
    'app/tools/folder/import-file.ts',
    'app/tools/',
    'zod',
    'node:',
  ],
  'app/lifecycle.ts': ['app/limits.ts'],
  'app/approvals/suggestions.ts': [],
  'app/config/second-factor.ts': ['node:crypto'],
  'app/secrets/': ['app/secrets/', CORE, 'zod', 'node:crypto'],
  'app/config/shape.ts': [
    'zod',
    'app/limits.ts',
    'app/authority/caps-config.ts',
    'app/config/retention.ts',
    'app/authority/policy/rules.ts',
    'app/secrets/settings.ts',
    'app/store/durability.ts',
    'app/who-may-ask.ts',
    'app/tools/',
    'app/secrets/index.ts',
    'app/store/index.ts',
  ],
  'app/config/check.ts': [
    'zod',
    'app/config/shape.ts',
    'app/authority/caps-config.ts',
    'app/authority/policy/check.ts',
    'app/tools/',
  ],
  'app/index.ts': ['app/config/file.ts', 'app/authority/policy/rules.ts', 'app/tools/'],
  'app/journal/': ['app/journal/', 'app/records/index.ts', CORE, 'zod', 'node:crypto'],
  'app/store/': ['app/store/', 'app/records/index.ts', 'app/limits.ts', 'app/ids.ts', 'zod', 'node:'],
  'app/store/redis/': ['app/store/', 'app/records/index.ts', 'app/limits.ts', 'zod', 'node:', 'ioredis'],
  'app/work/': ['app/work/', 'app/records/index.ts', 'app/limits.ts'],
  'app/work/redis.ts': ['app/work/', 'app/limits.ts', 'bullmq'],
  'app/work/open.ts': ['app/work/', 'app/store/redis/'],
  'app/agent/': ['app/agent/', 'app/records/index.ts', 'app/limits.ts', CORE, 'node:', '@opentelemetry/api'],
  'app/agent/loop': ['app/agent/', CORE],
  'app/agent/model': ['app/agent/', 'app/limits.ts', CORE, '@anthropic-ai/sdk', '@anthropic-ai/sdk/'],
  'app/tools/': [
    'app/tools/',
    'app/tools/folder/import-file.ts',
    'app/records/index.ts',
    'app/limits.ts',
    CORE,
    'zod',
    'node:',
  ],
  'app/tools/mcp/': [
    'app/tools/',
    'app/tools/folder/import-file.ts',
    'app/limits.ts',
    CORE,
    'zod',
    'node:',
    '@modelcontextprotocol/sdk/',
    'ajv',
    'ajv-formats',
  ],
  'app/recorder/recorder.ts': ['app/journal/', 'app/limits.ts', 'app/time/queue.ts', 'app/time/index.ts'],
  'app/time/queue.ts': [],
  'app/questions/settle-soon.ts': [],
  'app/recorder/run-journal.ts': ['app/journal/', 'app/recorder/recorder.ts', 'app/limits.ts', CORE],
  'app/keeping/usage.ts': ['app/journal/', 'app/records/index.ts'],
  'app/recorder/seals.ts': ['app/records/index.ts', 'app/store/keys.ts', 'app/store/index.ts'],
  'app/recorder/workspace-journal.ts': ['app/journal/', 'app/limits.ts'],
  'app/keeping/configuration.ts': ['app/store/keys.ts', 'app/tools/', CORE, 'node:crypto', 'app/store/index.ts'],
  'app/workspaces/installations.ts': ['app/records/index.ts', 'app/store/keys.ts', 'zod', 'app/store/index.ts'],
  'app/workspaces/leaving.ts': ['app/journal/', 'app/records/index.ts', 'app/runs/telling/words.ts'],
  'app/questions/waiting.ts': ['app/journal/', 'app/recorder/recorder.ts'],
  'app/questions/cards.ts': ['app/questions/paintings.ts', 'app/journal/', 'app/surface.ts'],
  'app/approvals/approvals.ts': [
    'app/approvals/',
    'app/secrets/said.ts',
    'app/questions/find-journal.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
  ],
  'app/approvals/': [
    'app/approvals/',
    'app/secrets/said.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
    'app/surface.ts',
    'app/time/queue.ts',
    CORE,
  ],
  'app/keeping/archive.ts': ['app/audit/', 'node:', 'app/keeping/audit/export.ts'],
  'app/config/retention.ts': ['zod'],
  'app/keeping/retention.ts': ['app/journal/', 'app/runs/'],
  'app/due.ts': ['app/journal/', 'app/records/index.ts'],
  'app/recorder/refusals.ts': ['app/limits.ts'],
  'app/time/retries.ts': ['app/limits.ts'],
  'app/approvals/edits.ts': ['app/secrets/redaction.ts', 'app/tools/', CORE, 'app/secrets/index.ts'],
  'app/questions/feedback.ts': ['app/journal/', 'app/limits.ts'],
  'app/questions/find-journal.ts': [],
  'app/questions/inquiries.ts': [
    'app/questions/find-journal.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
  ],
  'app/questions/reminders.ts': [
    'app/journal/',
    'app/questions/out-of-sight.ts',
    'app/time/retries.ts',
    'app/surface.ts',
  ],
  'app/questions/out-of-sight.ts': ['app/journal/'],
  'app/questions/doubts.ts': [
    'app/questions/find-journal.ts',
    'app/secrets/said.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
  ],
  'app/authority/trust.ts': ['app/journal/', 'app/recorder/recorder.ts', 'app/records/index.ts'],
  'app/runs/runs.ts': ['app/runs/', 'app/journal/', 'app/agent/', 'app/records/index.ts', 'app/limits.ts', CORE],
  'app/runs/': [
    'app/runs/',
    'app/questions/settle-soon.ts',
    'app/recorder/recorder.ts',
    'app/store/errors.ts',
    'app/secrets/redaction.ts',
    'app/journal/',
    'app/agent/',
    'app/tools/',
    'app/records/index.ts',
    'app/limits.ts',
    'app/authority/caps.ts',
    'app/authority/people.ts',
    'app/authority/rights.ts',
    'app/authority/trust-lines.ts',
    'app/surface.ts',
    CORE,
    'node:crypto',
  ],
  'app/authority/policy/policy.ts': [
    'app/authority/policy/rules.ts',
    'app/tools/',
    'app/records/index.ts',
    CORE,
    'node:crypto',
  ],
  'app/authority/policy/rules.ts': ['app/tools/', 'zod'],
  'app/authority/policy/check.ts': ['app/authority/policy/policy.ts', 'app/authority/policy/rules.ts', 'app/tools/'],
  'app/policy/': [
    'app/policy/',
    'app/authority/policy/policy.ts',
    'app/journal/',
    'app/records/index.ts',
    'app/authority/trust-lines.ts',
    'app/tools/mcp/',
    CORE,
  ],
  'app/commands/policy-main.ts': ['app/config/file.ts', 'app/config/env-file.ts', 'app/commands/policy.ts', 'node:'],
  'app/authority/caps-config.ts': ['zod'],
  'app/authority/caps.ts': ['app/journal/'],
  'app/authority/people.ts': [],
  'app/who-may-ask.ts': [],
  'app/authority/rights.ts': ['app/authority/people.ts', 'app/journal/', CORE],
  'app/authority/trust-lines.ts': [
    'app/journal/',
    'app/authority/policy/policy.ts',
    'app/records/index.ts',
    'app/authority/rights.ts',
    CORE,
  ],
  'app/authority/authority.ts': [
    'app/journal/',
    'app/authority/people.ts',
    'app/authority/policy/policy.ts',
    'app/authority/policy/offers.ts',
    'app/authority/policy/ways.ts',
    'app/records/index.ts',
    'app/authority/rights.ts',
    'app/tools/',
    'app/authority/trust-lines.ts',
  ],
  'app/audit/': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
  ],
  'app/commands/audit-main.ts': [
    'app/audit/',
    'app/clock.ts',
    'app/config/env-file.ts',
    'app/config/environment.ts',
    'app/log.ts',
    'app/secrets/box.ts',
    'app/store/open.ts',
    'node:',
    'app/commands/audit.ts',
    'app/secrets/index.ts',
    'app/store/index.ts',
  ],
  'app/keeping/record-keeping.ts': [
    'app/keeping/configuration.ts',
    'app/keeping/retention.ts',
    'app/retention/',
    'app/recorder/seals.ts',
    'app/keeping/archive.ts',
  ],
  'app/borders.ts': [],
  'app/assemble.ts': ['app/'],
  'app/build.ts': ['app/', 'handlers/', CORE, 'node:crypto'],
  'app/main.ts': ['app/config/env-file.ts', 'app/start.ts', 'node:fs', 'node:module', 'node:path'],
  'app/start.ts': [
    'app/build.ts',
    'app/config/environment.ts',
    'app/config/file.ts',
    'app/log.ts',
    'app/secrets/scrubber.ts',
    'app/step.ts',
    'app/secrets/index.ts',
  ],
  'app/commands/tools-main.ts': ['app/config/env-file.ts', 'app/tools/mcp/', 'node:', 'app/commands/tools.ts'],
  'bench/': ['app/', 'bench/', CORE, 'node:'],
  'sandbox/': ['sandbox/', 'node:', 'ws', 'react', 'react-dom/', 'slack-blocks-to-jsx', 'zod', 'yaml'],
  'example/': ['example/', 'app/index.ts', 'zod', 'node:'],
  'app/config/open-tools.ts': [
    'app/tools/',
    'app/tools/folder/import-file.ts',
    'app/records/index.ts',
    'app/limits.ts',
    CORE,
    'zod',
    'node:',
  ],
  'app/authority/policy/explain.ts': [
    'app/policy/',
    'app/authority/policy/policy.ts',
    'app/journal/',
    'app/records/index.ts',
    'app/authority/trust-lines.ts',
    'app/tools/mcp/',
    CORE,
    'app/authority/policy/offers.ts',
    'app/authority/policy/rules.ts',
  ],
  'app/authority/policy/findings.ts': [
    'app/policy/',
    'app/authority/policy/policy.ts',
    'app/journal/',
    'app/records/index.ts',
    'app/authority/trust-lines.ts',
    'app/tools/mcp/',
    CORE,
    'app/authority/policy/rules.ts',
  ],
  'app/authority/policy/offers.ts': [
    'app/policy/',
    'app/authority/policy/policy.ts',
    'app/journal/',
    'app/records/index.ts',
    'app/authority/trust-lines.ts',
    'app/tools/mcp/',
    CORE,
    'app/authority/policy/ways.ts',
  ],
  'app/authority/policy/ways.ts': [
    'app/policy/',
    'app/authority/policy/policy.ts',
    'app/journal/',
    'app/records/index.ts',
    'app/authority/trust-lines.ts',
    'app/tools/mcp/',
    CORE,
    'app/authority/policy/rules.ts',
  ],
  'app/commands/policy.ts': [
    'app/policy/',
    'app/authority/policy/policy.ts',
    'app/journal/',
    'app/records/index.ts',
    'app/authority/trust-lines.ts',
    'app/tools/mcp/',
    CORE,
    'app/authority/policy/explain.ts',
    'app/authority/policy/findings.ts',
  ],
  'app/commands/audit.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
    'app/keeping/audit/attention.ts',
    'app/keeping/audit/export.ts',
    'app/keeping/audit/tail.ts',
    'app/keeping/audit/verify.ts',
  ],
  'app/commands/tools.ts': [
    'app/tools/',
    'app/tools/folder/import-file.ts',
    'app/limits.ts',
    CORE,
    'zod',
    'node:',
    '@modelcontextprotocol/sdk/',
    'ajv',
    'ajv-formats',
  ],
  'app/questions/paintings.ts': [
    'app/approvals/',
    'app/secrets/said.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
    'app/surface.ts',
    'app/time/queue.ts',
    CORE,
    'app/time/in-turn.ts',
    'app/time/index.ts',
  ],
  'app/questions/copies.ts': [
    'app/approvals/',
    'app/secrets/said.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
    'app/surface.ts',
    'app/time/queue.ts',
    CORE,
    'app/time/in-turn.ts',
    'app/time/index.ts',
  ],
  'app/agent/model/provider-blocks.ts': [
    'app/agent/',
    'app/records/index.ts',
    'app/limits.ts',
    CORE,
    'node:',
    '@opentelemetry/api',
  ],
  'app/agent/model/retry.ts': [
    'app/agent/',
    'app/records/index.ts',
    'app/limits.ts',
    CORE,
    'node:',
    '@opentelemetry/api',
  ],
  'app/time/in-turn.ts': [
    'app/approvals/',
    'app/secrets/said.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
    'app/surface.ts',
    'app/time/queue.ts',
    CORE,
  ],
  'app/keeping/audit/attention.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
  ],
  'app/keeping/audit/export.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
    'app/keeping/audit/inputs.ts',
  ],
  'app/keeping/audit/inputs.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
    'app/store/index.ts',
  ],
  'app/keeping/audit/page.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
  ],
  'app/keeping/audit/promises.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
  ],
  'app/keeping/audit/tail.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
    'app/keeping/audit/export.ts',
  ],
  'app/keeping/audit/verify.ts': [
    'app/audit/',
    'app/journal/',
    'app/records/index.ts',
    'app/store/sealed.ts',
    CORE,
    'zod',
    'node:crypto',
    'node:util',
    'app/keeping/audit/inputs.ts',
    'app/keeping/audit/page.ts',
    'app/keeping/audit/promises.ts',
  ],
  'app/approvals/presses.ts': [
    'app/approvals/',
    'app/secrets/said.ts',
    'app/journal/',
    'app/limits.ts',
    'app/records/index.ts',
    'app/questions/settle-soon.ts',
    'app/surface.ts',
    'app/time/queue.ts',
    CORE,
    'app/time/index.ts',
  ],
  'app/time/index.ts': ['app/time/in-turn.ts', 'app/time/queue.ts', 'app/time/retries.ts'],
  'app/runs/gate/describing.ts': [
    'app/runs/',
    'app/questions/settle-soon.ts',
    'app/recorder/recorder.ts',
    'app/store/errors.ts',
    'app/secrets/redaction.ts',
    'app/journal/',
    'app/agent/',
    'app/tools/',
    'app/records/index.ts',
    'app/limits.ts',
    'app/authority/caps.ts',
    'app/authority/people.ts',
    'app/authority/rights.ts',
    'app/authority/trust-lines.ts',
    'app/surface.ts',
    CORE,
    'node:crypto',
    'app/secrets/index.ts',
  ],
  'app/runs/gate/until-written.ts': [
    'app/runs/',
    'app/questions/settle-soon.ts',
    'app/recorder/recorder.ts',
    'app/store/errors.ts',
    'app/secrets/redaction.ts',
    'app/journal/',
    'app/agent/',
    'app/tools/',
    'app/records/index.ts',
    'app/limits.ts',
    'app/authority/caps.ts',
    'app/authority/people.ts',
    'app/authority/rights.ts',
    'app/authority/trust-lines.ts',
    'app/surface.ts',
    CORE,
    'node:crypto',
    'app/store/index.ts',
  ],
  'app/runs/story/ending.ts': [
    'app/runs/',
    'app/questions/settle-soon.ts',
    'app/recorder/recorder.ts',
    'app/store/errors.ts',
    'app/secrets/redaction.ts',
    'app/journal/',
    'app/agent/',
    'app/tools/',
    'app/records/index.ts',
    'app/limits.ts',
    'app/authority/caps.ts',
    'app/authority/people.ts',
    'app/authority/rights.ts',
    'app/authority/trust-lines.ts',
    'app/surface.ts',
    CORE,
    'node:crypto',
    'app/store/index.ts',
  ],
};

/** What must not be reached even where the table would let it: by prefix of the importing file. */
const NEVER: readonly { readonly who: string; readonly what: string; readonly unless?: string }[] = [
  { who: '', what: 'app/main.ts' },
  { who: '', what: 'app/start.ts', unless: 'app/main.ts' },
  { who: '', what: 'app/build.ts', unless: 'app/start.ts' },
  { who: '', what: 'app/assemble.ts', unless: 'app/build.ts' },
];

const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;
const TYPE_IMPORT = /^(?:import|export) type [^;]+;/gm;

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export function sources(): readonly SourceFile[] {
  return ['interventions', 'handlers', 'app', 'sandbox', 'example', 'bench'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join(folder, name))
      .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  );
}

/** The imports of a file that the table does not allow. */
export function forbiddenImports({ path, text }: SourceFile): readonly string[] {
  const allowed = MAY_IMPORT[ruleOf(path) ?? ''] ?? [];
  return runtimeImports({ path, text }).filter((target) => {
    const never = NEVER.some(({ who, what, unless }) => path.startsWith(who) && target === what && path !== unless);
    return never || !allowed.some((prefix) => target === prefix || (/[/:]$/.test(prefix) && target.startsWith(prefix)));
  });
}

export function ruleOf(path: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((name) => path.startsWith(name))
    .sort((a, b) => b.length - a.length)[0];
}

export function runtimeImports({ path, text }: SourceFile): readonly string[] {
  const source = path.startsWith('interventions/') ? text : text.replace(TYPE_IMPORT, '');
  return importsIn(path, source);
}

function importsIn(path: string, text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, target = '']) =>
    target.startsWith('.') ? posix.join(posix.dirname(path), target) : target,
  );
}

/** Files that import each other in a circle, at run time or, on request, by types as well; empty when there is none. */
export function findCircle(files: readonly SourceFile[], { types = false } = {}): readonly string[] {
  const graph = new Map(
    files.map(({ path, text }) => [path, importsIn(path, types ? text : text.replace(TYPE_IMPORT, ''))]),
  );
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const target of graph.get(path) ?? []) {
      const circle = graph.has(target) ? walk(target, [...trail, path]) : [];
      if (circle.length > 0) return circle;
    }
    done.add(path);
    return [];
  };
  for (const path of graph.keys()) {
    const circle = walk(path, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

const OUTSIDE_WORLD =
  /\b(process|console|fetch|setTimeout|setInterval|setImmediate|Date\.now|new Date\(\)|Math\.random|performance)\b/;

/** A word of the core that reaches for a clock, chance or the world. Comments may speak of them. */
export function impurity({ text }: SourceFile): string | undefined {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
  return OUTSIDE_WORLD.exec(code)?.[0];
}
