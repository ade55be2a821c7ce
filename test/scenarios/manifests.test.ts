import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readManifest } from '../../sandbox/demo/manifest.ts';
import { ANN, OPS } from '../../sandbox/people.ts';
import { manifest } from '../support/audit.ts';
import { aWhile, mention, reply, type Stage, whisper } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
let folder: string | undefined;
afterEach(async () => {
  await stage?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const Manifest = z.looseObject({
  features: z.looseObject({ slash_commands: z.array(z.looseObject({ command: z.string() })) }),
  oauth_config: z.looseObject({}),
  settings: z.looseObject({ event_subscriptions: z.looseObject({}), interactivity: z.looseObject({}) }),
});
const FILE = readFileSync('manifest.yml', 'utf8');

describe('npm run manifest', () => {
  it('prints manifest.yml as it is, for Socket Mode (SURF-4)', async () => {
    expect(await manifest()).toEqual({ code: 0, out: FILE, err: '' });
  });

  it('prints the same with Socket Mode off and each request URL in its place, for HTTP (SURF-4)', async () => {
    const { code, out } = await manifest('--http', 'https://bot.example.com');
    expect(code).toBe(0);

    const url = 'https://bot.example.com/slack/events';
    const { features, settings, ...rest } = Manifest.parse(parse(FILE));
    expect(parse(out)).toEqual({
      ...rest,
      features: { ...features, slash_commands: features.slash_commands.map((command) => ({ ...command, url })) },
      settings: {
        ...settings,
        event_subscriptions: { ...settings.event_subscriptions, request_url: url },
        interactivity: { ...settings.interactivity, request_url: url },
        socket_mode_enabled: false,
      },
    });
  });

  it('adds where an installation comes back, and puts a word in front of each command (SURF-4)', async () => {
    const { out } = await manifest('--http', 'https://bot.example.com/', '--distributed', '--prefix', 'acme');

    const { oauth_config, features } = Manifest.parse(parse(out));
    expect(oauth_config).toMatchObject({ redirect_urls: ['https://bot.example.com/slack/oauth_redirect'] });
    expect(features.slash_commands.map(({ command }) => command)).toEqual([
      '/acme-trust',
      '/acme-untrust',
      '/acme-trusted',
      '/acme-approvals',
    ]);
  });

  it.each([
    [['--http', 'http://bot.example.com'], '--http must be the address of the bot, such as https://bot.example.com'],
    [['--http', 'https://bot.example.com/slack/events'], 'without a path'],
    [['--distributed'], '--distributed needs --http'],
    [['--prefix', 'Acme Inc'], '--prefix must be 1 to 20 small letters and digits'],
    [['--https', 'x'], 'There is no option --https.\n\nUsage: npm run manifest'],
  ])('refuses %j with what to write (SURF-4)', async (args, words) => {
    const { code, out, err } = await manifest(...args);

    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err.includes('Usage')).toBe(words.includes('Usage'));
  });
});

it('a bot with a prefix answers the commands of the manifest with that prefix, and names them so (SURF-4)', async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-manifest-'));
  const printed = join(folder, 'manifest.yml');
  writeFileSync(printed, (await manifest('--prefix', 'acme')).out);
  stage = await stageOn('sqlite', { sandbox: readManifest(printed) });
  await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/prefixed.config.ts' } });

  expect(await stage.world.command(ANN, OPS, '/trust', 'restart_service me')).toMatchObject({ type: 'refused' });
  await stage.world.command(ANN, OPS, '/acme-trust', 'restart_service me');
  await whisper(stage, ANN, /whenever the same person asks/);
  await stage.world.command(ANN, OPS, '/acme-approvals', 'help');
  expect(await whisper(stage, ANN, '/acme-untrust')).not.toContain('`/trust');
  await aWhile();
  await reply(stage, await mention(stage, ANN, 'restart the payments service'), 'Done.');
});
