import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App, type AppOptions, LogLevel } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, BEN, BOT, directChannel, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { freePort } from '../support/servers.ts';

/** The app with which Bolt greets its readers: it answers a word with a button, and the button with a sentence. */
function greet(app: App): void {
  app.message('hello', async ({ message, say }) => {
    const greeting = `Hello, <@${'user' in message ? message.user : ''}>`;
    const button = {
      type: 'button' as const,
      action_id: 'button_click',
      text: { type: 'plain_text' as const, text: 'Press' },
    };
    await say({
      text: greeting,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: greeting }, accessory: button }],
    });
  });
  app.action({ type: 'block_actions', action_id: 'button_click' }, async ({ body, ack, say }) => {
    await ack();
    await say(`<@${body.user.id}> pressed the button`);
  });
}

const TRANSPORTS: readonly (readonly [string, (sandbox: Sandbox) => Promise<App>])[] = [
  [
    'Socket Mode',
    async (sandbox) => {
      const app = appAt(sandbox, { socketMode: true, appToken: sandbox.appToken });
      await app.start();
      return app;
    },
  ],
  [
    'HTTP',
    async (sandbox) => {
      const app = appAt(sandbox, { signingSecret: sandbox.signingSecret });
      const port = await freePort();
      await app.start(port);
      sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);
      return app;
    },
  ],
];

function appAt({ botToken: token, slackApiUrl }: Sandbox, transport: AppOptions): App {
  const app = new App({ token, clientOptions: { slackApiUrl }, logLevel: LogLevel.ERROR, ...transport });
  greet(app);
  return app;
}

describe.each(TRANSPORTS)('Bolt’s first app over %s', (_, startApp) => {
  let sandbox: Sandbox;
  let app: App;
  beforeEach(async () => {
    sandbox = await startSandbox();
    app = await startApp(sandbox);
  });
  afterEach(async () => {
    // Bolt waits for a delivery that begins while it stops.
    await Promise.all(sandbox.world.deliveries.map(({ settled }) => settled));
    await app.stop();
    await sandbox.close();
  });

  const saidBy = (channel: string) =>
    sandbox.world
      .channel(channel)
      .filter(({ user }) => user === BOT)
      .map(({ text }) => text);

  it.each([
    ['a channel', OPS],
    ['the direct conversation', directChannel(ANN)],
  ])('the app greets in %s, and answers the press of its button (DEMO-6)', async (__, channel) => {
    const { world } = sandbox;
    await world.say(ANN, channel, 'hello there');
    const greeting = await world.until(() => world.channel(channel).find(({ user }) => user === BOT));

    const { acknowledgement } = await world.press(ANN, greeting, 'button_click');
    await world.until(() => saidBy(channel).length === 2);

    expect(acknowledgement.type).toBe('acknowledged');
    expect(saidBy(channel)).toEqual([`Hello, <@${ANN}>`, `<@${ANN}> pressed the button`]);
  });

  it('the app hears no greeting in other words, and not its own (DEMO-6)', async () => {
    const { world } = sandbox;
    const other = await world.say(BEN, OPS, 'good morning');
    await Promise.all(world.deliveriesOf(other).map(({ settled }) => settled));
    await world.say(BEN, OPS, 'hello');
    const greeting = await world.until(() => world.channel(OPS).find(({ user }) => user === BOT));
    await Promise.all(world.deliveriesOf(greeting).map(({ settled }) => settled));

    expect(saidBy(OPS)).toEqual([`Hello, <@${BEN}>`]);
  });
});

it('the ten lines of sandbox/README.md run as they stand there (DEMO-6)', async () => {
  const [, lines = ''] =
    /## Any Bolt app\n[^`]*```ts\n([\s\S]*?)```/.exec(readFileSync('sandbox/README.md', 'utf8')) ?? [];
  mkdirSync('.data', { recursive: true });
  const folder = mkdtempSync(join('.data', 'bolt-'));
  const file = join(folder, 'hello.ts');
  writeFileSync(file, lines.replaceAll("'./", `'${resolve('sandbox')}/`));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const ended = once(child, 'exit');
    let said = '';
    for await (const piece of child.stdout) {
      said += piece;
      if (said.includes('Hello, Ann.')) break;
    }
    child.kill('SIGKILL');
    await ended;

    expect(said).toContain('Hello, Ann.');
    expect(lines.trim().split('\n')).toHaveLength(10);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
