import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { World } from '../../sandbox/world.ts';
import type { BotOptions, RunningBot, Stage } from './bot.ts';
import { freePort } from './servers.ts';

/** A bot that workspaces install themselves, and how they do. */
export async function startForMany(
  stage: Stage,
  options: BotOptions = {},
): Promise<{ readonly port: number; readonly bot: RunningBot }> {
  const port = await freePort();
  const { clientId, clientSecret } = stage.sandbox;
  const bot = await stage.startBot({
    ...options,
    http: true,
    env: {
      SLACK_BOT_TOKEN: '',
      SLACK_CLIENT_ID: clientId,
      SLACK_CLIENT_SECRET: clientSecret,
      SLACK_STATE_SECRET: 'a state secret',
      DATA_KEY,
      PORT: `${port}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      COUNTERSIGN_CONFIG: 'test/support/listed.config.ts',
      ...options.env,
    },
  });
  stage.sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);
  return { port, bot };
}

const DATA_KEY = randomBytes(32).toString('base64');

export async function install(stage: Stage, port: number, team: string): Promise<World> {
  // A person who is told to try again does so: a busy store may keep no installation in time.
  await expect.poll(async () => saidBy(await tryToInstall(port, team))).toBe('installed');
  return stage.sandbox.workspace(team);
}

const saidBy = (back: Response): Promise<string> => (back.ok ? Promise.resolve('installed') : back.text());

/** In a browser of its own: to Slack's page, and back. */
export async function tryToInstall(port: number, team: string): Promise<Response> {
  const begun = await beginInstalling(port);
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const agreed = await fetch(`${begun.headers.get('location')}&team=${team}`, { redirect: 'manual' });
  return fetch(agreed.headers.get('location') ?? '', { headers: { cookie } });
}

export function beginInstalling(port: number): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/slack/install`, { redirect: 'manual' });
}
