import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const CORE = 'interventions/index.ts';

/**
 * What a file may reach at run time; the longest name that fits it decides, and a file that no line fits may import
 * nothing. Types are gone at run time, so they are free, except in the core, which does without even those.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // The library knows nothing but itself; its prompt in a terminal is loaded only when it is chosen.
  'interventions/': ['interventions/'],
  'interventions/terminal.ts': ['interventions/human-in-the-loop/ask-parts.ts', 'node:readline'],

  // Nouns and time, which every room may use.
  'app/': ['app/limits.ts', 'app/time/', 'node:util'],

  // How a process begins, and what a deployment imports.
  'app/main.ts': ['app/config/index.ts', 'app/start.ts', 'node:fs', 'node:module', 'node:path'],
  'app/start.ts': ['app/build.ts', 'app/config/index.ts', 'app/secrets/index.ts', 'app/step.ts', 'app/time/index.ts'],
  'app/build.ts': [
    'app/assembly/index.ts',
    'app/lifecycle.ts',
    'app/opening/index.ts',
    'app/who-may-ask.ts',
    'app/work/index.ts',
    'handlers/index.ts',
  ],
  'app/opening/': [
    'app/agent/model/index.ts',
    'app/clock.ts',
    'app/config/index.ts',
    'app/journal/index.ts',
    'app/limits.ts',
    'app/opening/',
    'app/recorder/index.ts',
    'app/secrets/index.ts',
    'app/store/index.ts',
    'app/time/index.ts',
    'app/tools/mcp/index.ts',
    'app/workspaces/index.ts',
    'handlers/door/index.ts',
    'handlers/thread/index.ts',
    'handlers/views/index.ts',
    'handlers/workspaces/index.ts',
    'node:crypto',
  ],
  'app/assembly/': [
    'app/agent/index.ts',
    'app/approvals/index.ts',
    'app/assembly/',
    'app/authority/index.ts',
    'app/keeping/index.ts',
    'app/limits.ts',
    'app/questions/index.ts',
    'app/recorder/index.ts',
    'app/records/index.ts',
    'app/runs/index.ts',
    'app/secrets/index.ts',
    'app/store/index.ts',
    'app/time/index.ts',
    'app/workspaces/index.ts',
  ],
  'app/index.ts': ['app/authority/index.ts', 'app/config/index.ts', 'app/tools/index.ts'],

  // The rooms of the app, the lowest first.
  'app/records/': ['app/records/', 'zod'],
  'app/secrets/': ['app/secrets/', 'app/time/index.ts', CORE, 'node:crypto', 'zod'],
  'app/store/': [
    'app/records/index.ts',
    'app/secrets/index.ts',
    'app/store/',
    'app/store/redis/index.ts',
    'app/store/sqlite/index.ts',
    'app/time/index.ts',
    'node:crypto',
    'node:path',
  ],
  'app/store/redis/': [
    'app/records/index.ts',
    'app/store/check.ts',
    'app/store/due.ts',
    'app/store/errors.ts',
    'app/store/ids.ts',
    'app/store/keys.ts',
    'app/store/redis/',
    'app/time/index.ts',
    'ioredis',
    'node:crypto',
  ],
  'app/store/sqlite/': [
    'app/records/index.ts',
    'app/store/check.ts',
    'app/store/due.ts',
    'app/store/errors.ts',
    'app/store/ids.ts',
    'app/store/keys.ts',
    'app/store/sqlite/',
    'app/time/index.ts',
    'node:fs',
    'node:path',
    'node:sqlite',
  ],
  'app/journal/': ['app/journal/', 'app/limits.ts', 'app/records/index.ts', CORE, 'node:crypto', 'zod'],
  'app/recorder/': [
    'app/journal/index.ts',
    'app/limits.ts',
    'app/recorder/',
    'app/records/index.ts',
    'app/store/index.ts',
    'app/time/index.ts',
    CORE,
  ],
  'app/agent/': [
    '@opentelemetry/api',
    'app/agent/',
    'app/agent/model/index.ts',
    'app/clock.ts',
    'app/time/index.ts',
    CORE,
    'node:crypto',
    'node:fs/promises',
    'node:path',
    'zod',
  ],
  'app/agent/model/': [
    '@anthropic-ai/sdk',
    '@anthropic-ai/sdk/core/streaming',
    'app/agent/model/',
    'app/clock.ts',
    'app/time/index.ts',
    CORE,
  ],
  'app/tools/': ['app/limits.ts', 'app/records/index.ts', 'app/time/index.ts', 'app/tools/', CORE, 'zod', 'node:'],
  'app/tools/mcp/': [
    '@modelcontextprotocol/sdk/',
    'ajv-formats/dist/formats.js',
    'app/time/index.ts',
    'app/tools/index.ts',
    'app/tools/mcp/',
    CORE,
    'node:crypto',
    'node:fs',
    'node:path',
    'node:util',
    'zod',
  ],
  'app/authority/': [
    'app/authority/',
    'app/journal/index.ts',
    'app/limits.ts',
    'app/recorder/index.ts',
    'app/records/index.ts',
    'app/time/index.ts',
    'app/tools/index.ts',
    CORE,
    'node:crypto',
    'zod',
  ],
  'app/questions/': [
    'app/journal/index.ts',
    'app/limits.ts',
    'app/questions/',
    'app/recorder/index.ts',
    'app/records/index.ts',
    'app/surface.ts',
    'app/time/index.ts',
  ],
  'app/approvals/': [
    'app/approvals/',
    'app/journal/index.ts',
    'app/limits.ts',
    'app/questions/index.ts',
    'app/recorder/index.ts',
    'app/records/index.ts',
    'app/secrets/index.ts',
    'app/time/index.ts',
    'app/tools/index.ts',
    CORE,
  ],
  'app/config/': [
    'app/authority/index.ts',
    'app/config/',
    'app/limits.ts',
    'app/secrets/index.ts',
    'app/store/index.ts',
    'app/tools/index.ts',
    'app/tools/mcp/index.ts',
    'app/who-may-ask.ts',
    'zod',
    'node:',
  ],
  'app/work/': ['app/limits.ts', 'app/store/redis/index.ts', 'app/time/index.ts', 'app/work/', 'bullmq'],
  'app/runs/': [
    'app/agent/index.ts',
    'app/agent/model/index.ts',
    'app/authority/index.ts',
    'app/journal/index.ts',
    'app/limits.ts',
    'app/questions/index.ts',
    'app/recorder/index.ts',
    'app/records/index.ts',
    'app/runs/',
    'app/secrets/index.ts',
    'app/store/index.ts',
    'app/surface.ts',
    'app/time/index.ts',
    'app/tools/index.ts',
    CORE,
    'node:crypto',
  ],
  'app/keeping/': [
    'app/journal/index.ts',
    'app/keeping/',
    'app/limits.ts',
    'app/recorder/index.ts',
    'app/records/index.ts',
    'app/runs/index.ts',
    'app/secrets/index.ts',
    'app/store/index.ts',
    'app/time/index.ts',
    'app/tools/index.ts',
    CORE,
    'zod',
    'node:',
  ],
  'app/workspaces/': [
    'app/journal/index.ts',
    'app/limits.ts',
    'app/records/index.ts',
    'app/runs/index.ts',
    'app/store/index.ts',
    'app/workspaces/',
    'zod',
  ],
  'app/commands/': [
    'app/authority/index.ts',
    'app/clock.ts',
    'app/commands/',
    'app/config/index.ts',
    'app/keeping/index.ts',
    'app/recorder/index.ts',
    'app/records/index.ts',
    'app/secrets/index.ts',
    'app/store/index.ts',
    'app/time/index.ts',
    'app/tools/mcp/index.ts',
    'app/workspaces/index.ts',
    'handlers/thread/index.ts',
    'handlers/workspaces/index.ts',
    CORE,
    'node:',
  ],

  // The rooms that face Slack, the lowest first.
  'handlers/sender/': [
    '@slack/web-api',
    'app/time/index.ts',
    'handlers/sender/',
    'node:crypto',
    'node:http',
    'node:https',
  ],
  'handlers/views/': ['app/time/index.ts', 'handlers/views/'],
  'handlers/payloads/': ['app/records/index.ts', 'handlers/payloads/', 'zod'],
  'handlers/workspaces/': [
    '@slack/web-api',
    'app/clock.ts',
    'app/records/index.ts',
    'app/surface.ts',
    'app/time/index.ts',
    'handlers/payloads/index.ts',
    'handlers/sender/index.ts',
    'handlers/workspaces/',
    'zod',
  ],
  'handlers/questions/': [
    'handlers/payloads/index.ts',
    'handlers/questions/',
    'handlers/responding/index.ts',
    'handlers/views/index.ts',
  ],
  'handlers/thread/': [
    '@slack/web-api',
    'app/records/index.ts',
    'app/surface.ts',
    'app/time/index.ts',
    'handlers/payloads/index.ts',
    'handlers/questions/index.ts',
    'handlers/sender/index.ts',
    'handlers/thread/',
    'handlers/views/index.ts',
    'handlers/workspaces/index.ts',
    'zod',
  ],
  'handlers/responding/': [
    'app/time/index.ts',
    'handlers/payloads/index.ts',
    'handlers/responding/',
    'handlers/sender/index.ts',
    'handlers/views/index.ts',
    'handlers/workspaces/index.ts',
    CORE,
  ],
  'handlers/home/': [
    'app/time/index.ts',
    'handlers/home/',
    'handlers/payloads/index.ts',
    'handlers/sender/index.ts',
    'handlers/views/index.ts',
    'node:crypto',
  ],
  'handlers/web/': [
    'app/records/index.ts',
    'app/time/index.ts',
    'handlers/responding/index.ts',
    'handlers/views/index.ts',
    'handlers/web/',
    'node:crypto',
    'zod',
  ],
  'handlers/presses/': [
    'app/records/index.ts',
    'app/time/index.ts',
    'handlers/payloads/index.ts',
    'handlers/presses/',
    'handlers/questions/index.ts',
    'handlers/responding/index.ts',
    'handlers/thread/index.ts',
    'handlers/views/index.ts',
    CORE,
    'zod',
  ],
  'handlers/speech/': [
    'app/records/index.ts',
    'handlers/payloads/index.ts',
    'handlers/responding/index.ts',
    'handlers/sender/index.ts',
    'handlers/speech/',
    'handlers/views/index.ts',
    'handlers/workspaces/index.ts',
    'zod',
  ],
  'handlers/door/': [
    '@slack/bolt',
    '@slack/oauth',
    'app/clock.ts',
    'app/records/index.ts',
    'app/time/index.ts',
    'handlers/door/',
    'handlers/payloads/index.ts',
    'handlers/responding/index.ts',
    'handlers/sender/index.ts',
    'handlers/views/index.ts',
    'handlers/web/index.ts',
    'handlers/workspaces/index.ts',
    'node:http',
  ],
  'handlers/index.ts': [
    'app/clock.ts',
    'handlers/door/index.ts',
    'handlers/home/index.ts',
    'handlers/presses/index.ts',
    'handlers/responding/index.ts',
    'handlers/speech/index.ts',
    'handlers/thread/index.ts',
    'handlers/web/index.ts',
    'handlers/workspaces/index.ts',
  ],

  // What stands beside the bot.
  'sandbox/': ['react', 'react-dom/server', 'sandbox/', 'slack-blocks-to-jsx', 'ws', 'yaml', 'zod', 'node:'],
  'bench/': [
    'app/agent/index.ts',
    'app/agent/alone/index.ts',
    'app/assembly/index.ts',
    'app/clock.ts',
    'app/config/index.ts',
    'app/index.ts',
    'app/lifecycle.ts',
    'app/limits.ts',
    'app/records/index.ts',
    'app/secrets/index.ts',
    'app/store/index.ts',
    'app/time/index.ts',
    'app/tools/index.ts',
    'app/work/index.ts',
    'bench/',
    'handlers/views/index.ts',
    'ioredis',
    'sandbox/',
    'zod',
    CORE,
    'node:',
  ],
  'example/': [
    '@modelcontextprotocol/sdk/server/',
    '@modelcontextprotocol/sdk/types.js',
    'app/index.ts',
    'example/',
    'zod',
    'node:',
  ],
};

/** What must not be reached even where the table would let it: by prefix of the importing file. */
const NEVER: readonly { readonly who: string; readonly what: string; readonly unless?: readonly string[] }[] = [
  { who: '', what: 'app/main.ts' },
  { who: '', what: 'app/start.ts', unless: ['app/main.ts'] },
  { who: '', what: 'app/build.ts', unless: ['app/start.ts'] },
  { who: '', what: 'app/opening/index.ts', unless: ['app/build.ts'] },
  { who: '', what: 'app/assembly/index.ts', unless: ['app/build.ts', 'bench/durable/bot.ts'] },
];

/** They say no more than the language could: every file but the library may use them. */
const LANGUAGE: readonly string[] = ['app/given.ts', 'app/json.ts', 'app/log.ts', 'app/or-log.ts'];

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

/** The imports of a file that the table does not allow, each with the row that decides, the reason and the mend. */
export function forbiddenImports({ path, text }: SourceFile): readonly string[] {
  const row = ruleOf(path);
  const allowed = MAY_IMPORT[row ?? ''] ?? [];
  return runtimeImports({ path, text }).flatMap((target) => {
    const end = NEVER.find(
      ({ who, what, unless = [] }) => path.startsWith(who) && target === what && !unless.includes(path),
    );
    if (end !== undefined) {
      return [
        `${path} imports ${target}, where a process begins. Only ${end.unless?.join(' and ') ?? 'Node'} may: take what you need as an argument.`,
      ];
    }
    if (LANGUAGE.includes(target) && !path.startsWith('interventions/')) return [];
    if (allowed.some((prefix) => target === prefix || (/[/:]$/.test(prefix) && target.startsWith(prefix)))) return [];
    if (row === undefined)
      return [`${path} imports ${target}, and no row of MAY_IMPORT is about ${path}. Give its room a row.`];
    return [
      `${path} imports ${target}, which the row '${row}' of MAY_IMPORT does not list. Take it as an argument, move the file into the room that may, or list it in that row.`,
    ];
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
