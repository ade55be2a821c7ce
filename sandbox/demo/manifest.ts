import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Shortcut } from '../page/message.ts';

const Manifest = z.looseObject({
  features: z.looseObject({
    slash_commands: z.array(z.looseObject({ command: z.string() })).default([]),
    shortcuts: z.array(z.looseObject({ name: z.string(), type: z.string(), callback_id: z.string() })).default([]),
  }),
});

/** What Slack knows of an app by its manifest: which commands it takes and what it offers at a message. */
export function readManifest(file: string): {
  readonly commands?: readonly string[];
  readonly shortcuts?: readonly Shortcut[];
} {
  if (!existsSync(file)) return {};
  const { features } = Manifest.parse(parse(readFileSync(file, 'utf8')));
  return {
    commands: features.slash_commands.map(({ command }) => command),
    shortcuts: features.shortcuts
      .filter(({ type }) => type === 'message')
      .map(({ name, callback_id: callbackId }) => ({ name, callbackId })),
  };
}
