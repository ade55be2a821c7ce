import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { DELIVERIES } from '../../handlers/index.ts';
import type { Delivery } from '../../handlers/responding/arrival.ts';
import { KNOWN_METHODS } from '../../handlers/sender/rates.ts';
import { SCOPES } from '../../handlers/workspaces/scopes.ts';

const Manifest = z.object({
  display_information: z.object({ name: z.string() }),
  features: z.object({
    agent_view: z.unknown().optional(),
    shortcuts: z.array(z.object({ name: z.string(), callback_id: z.string(), type: z.literal('message') })),
    slash_commands: z.array(z.object({ command: z.string(), should_escape: z.literal(true) })),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()) }),
    interactivity: z.object({ is_enabled: z.boolean() }),
  }),
});
type Manifest = z.infer<typeof Manifest>;

interface Code {
  readonly table: readonly Pick<Delivery<unknown>, 'kind' | 'name'>[];
  readonly events: readonly string[];
  readonly methods: readonly string[];
}

const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

/** Which scopes a bot token needs to call a method; from Slack's reference. */
const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'agents.sessions.setStatus': ['chat:write'],
  'auth.teams.list': [],
  'auth.test': [],
  'chat.appendStream': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.getPermalink': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': HISTORY,
  'conversations.info': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  'conversations.open': ['im:write'],
  'conversations.members': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  'conversations.replies': HISTORY,
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'reactions.add': ['reactions:write'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.update': [],
};

const EVENT_SCOPES: Readonly<Record<string, readonly string[]>> = {
  agent_session_stopped: [],
  app_context_changed: [],
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  tokens_revoked: [],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  'message.mpim': ['mpim:history'],
};

/** Everything that the manifest and the code do not agree about, both ways. */
function disagreements(manifest: Manifest, code: Code): readonly string[] {
  const named = (kind: string) => code.table.filter((one) => one.kind === kind).map(({ name }) => name);
  const scopes = [
    ...(manifest.features.agent_view === undefined ? [] : ['assistant:write']),
    ...(named('command').length === 0 ? [] : ['commands']),
    ...code.events.flatMap((event) => EVENT_SCOPES[event] ?? [`unknown, for the event ${event}`]),
    ...code.methods.flatMap((method) => METHOD_SCOPES[method] ?? [`unknown, for ${method}`]),
  ];
  return [
    ...differences(
      'command',
      named('command'),
      manifest.features.slash_commands.map(({ command }) => command),
    ),
    ...differences(
      'shortcut',
      named('shortcut'),
      manifest.features.shortcuts.map(({ callback_id }) => callback_id),
    ),
    ...differences('event', code.events, manifest.settings.event_subscriptions.bot_events),
    ...differences('scope', scopes, manifest.oauth_config.scopes.bot),
    ...(named('action').length > 0 === manifest.settings.interactivity.is_enabled ? [] : ['interactivity']),
  ];
}

function differences(what: string, used: readonly string[], declared: readonly string[]): readonly string[] {
  return [
    ...[...new Set(used)]
      .filter((name) => !declared.includes(name))
      .map((name) => `${what} ${name} is used and not declared`),
    ...declared.filter((name) => !used.includes(name)).map((name) => `${what} ${name} is declared and not used`),
  ];
}

/** A call of the Web API is a chain of names that ends in a call, on one of these; `sender` is what it goes through. */
const CALL = /\b(?:client|once)\.(?!sender\.)((?:[a-z]+\.)+[A-Za-z]+)\(/g;

// Nothing outside this folder knows Slack; the architecture test sees to it.
const sources = readdirSync('handlers', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join('handlers', name), 'utf8'));
const methods = sources.flatMap((source) => [...source.matchAll(CALL)].map(([, method = '']) => method));

const code: Code = {
  table: DELIVERIES,
  events: DELIVERIES.flatMap((one) => (one.kind === 'event' ? one.declared : [])),
  methods: [...new Set(methods)],
};
const read = (): Manifest => Manifest.parse(parse(readFileSync('manifest.yml', 'utf8')));

describe('the manifest', () => {
  it('the manifest declares exactly what the code registers and calls (P8c)', () => {
    expect(read().display_information.name).toBe('Countersign');
    expect(disagreements(read(), code)).toEqual([]);
  });

  it('the manifest is compared with calls that the sources really make (P8c)', () => {
    expect([...code.methods].sort()).toEqual(Object.keys(METHOD_SCOPES).sort());
  });

  it('the sender knows the rate of every method that is called, and of no other (P8c)', () => {
    expect([...KNOWN_METHODS].sort()).toEqual([...code.methods].sort());
  });

  it('an installation asks for the same scopes as the manifest (P8c)', () => {
    expect([...SCOPES].sort()).toEqual([...read().oauth_config.scopes.bot].sort());
  });

  const planted: readonly (readonly [string, (manifest: Manifest) => Manifest, Code, string])[] = [
    [
      'a command without an answer',
      (manifest) => ({
        ...manifest,
        features: {
          ...manifest.features,
          slash_commands: [...manifest.features.slash_commands, { command: '/nobody', should_escape: true }],
        },
      }),
      code,
      'command /nobody is declared and not used',
    ],
    [
      'a command that is not declared',
      (manifest) => manifest,
      { ...code, table: [...DELIVERIES, { kind: 'command', name: '/nobody' }] },
      'command /nobody is used and not declared',
    ],
    [
      'an event without an answer',
      (manifest) => ({
        ...manifest,
        settings: {
          ...manifest.settings,
          event_subscriptions: { bot_events: [...manifest.settings.event_subscriptions.bot_events, 'file_shared'] },
        },
      }),
      code,
      'event file_shared is declared and not used',
    ],
    [
      'a shortcut that is not declared',
      (manifest) => ({
        ...manifest,
        features: { ...manifest.features, shortcuts: manifest.features.shortcuts.slice(1) },
      }),
      code,
      'shortcut ask_about_message is used and not declared',
    ],
    [
      'an event that is not declared',
      (manifest) => ({
        ...manifest,
        settings: {
          ...manifest.settings,
          event_subscriptions: { bot_events: manifest.settings.event_subscriptions.bot_events.slice(1) },
        },
      }),
      code,
      'event agent_session_stopped is used and not declared',
    ],
    [
      'a scope that nothing needs',
      (manifest) => ({
        ...manifest,
        oauth_config: { scopes: { bot: [...manifest.oauth_config.scopes.bot, 'pins:write'] } },
      }),
      code,
      'scope pins:write is declared and not used',
    ],
    [
      'a scope that is not declared',
      (manifest) => ({
        ...manifest,
        oauth_config: { scopes: { bot: manifest.oauth_config.scopes.bot.filter((scope) => scope !== 'chat:write') } },
      }),
      code,
      'scope chat:write is used and not declared',
    ],
    [
      'a call whose scope is not on record',
      (manifest) => manifest,
      { ...code, methods: [...code.methods, 'users.identity'] },
      'scope unknown, for users.identity is used and not declared',
    ],
    [
      'interactivity that is off',
      (manifest) => ({ ...manifest, settings: { ...manifest.settings, interactivity: { is_enabled: false } } }),
      code,
      'interactivity',
    ],
  ];
  it.each(planted)('the comparison of manifest and code fails with %s (P8c)', (_what, change, given, found) => {
    expect(disagreements(change(read()), given)).toEqual([found]);
  });
});

describe('the page about Slack', () => {
  const page = readFileSync('docs/slack.md', 'utf8');

  it.each([
    ...read().features.slash_commands.map(({ command }) => command),
    ...read().features.shortcuts.map(({ name }) => name),
    ...['help', 'trusted', 'trust ', 'untrust ', 'approvals', 'usage', 'stop'].map((word) => `@Countersign ${word}`),
  ])('names %s, which people can type or choose', (word) => {
    expect(page).toContain(word);
  });
});
