import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { SandboxOptions } from '../server.ts';

const Shortcut = z.looseObject({ name: z.string(), type: z.string(), callback_id: z.string() });
const Manifest = z.looseObject({
  features: z.looseObject({
    slash_commands: z.array(z.looseObject({ command: z.string() })).default([]),
    shortcuts: z.array(Shortcut).default([]),
    app_home: z.looseObject({ home_tab_enabled: z.boolean().default(false) }).optional(),
  }),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
  settings: z.looseObject({
    event_subscriptions: z.looseObject({ bot_events: z.array(z.string()) }).optional(),
  }),
});

type Declared = Pick<SandboxOptions, 'commands' | 'shortcuts' | 'events' | 'scopes' | 'homeTab'>;

/** Reads what Slack knows of an app from its manifest: commands, message shortcuts, events, scopes and the Home tab. */
export function readManifest(file: string): Declared {
  if (!existsSync(file)) return {};
  const { features, settings, oauth_config: oauth } = Manifest.parse(parse(readFileSync(file, 'utf8')));
  return {
    commands: features.slash_commands.map(({ command }) => command),
    events: settings.event_subscriptions?.bot_events ?? [],
    scopes: oauth.scopes.bot,
    homeTab: features.app_home?.home_tab_enabled ?? false,
    shortcuts: features.shortcuts
      .filter(({ type }) => type === 'message')
      .map(({ name, callback_id: callbackId }) => ({ name, callbackId })),
  };
}
