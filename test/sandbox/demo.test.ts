import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

/** A port that the system chooses while the demo listens: no other test can take it in between. */
const ANY_PORT = '0';

/** Started as `npm run demo` starts it, with another program in the place of the bot. */
let demo: ChildProcess | undefined;

afterEach(() => {
  demo?.kill('SIGKILL');
});

function startDemo(bot: string, environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['sandbox/demo.ts', bot], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  demo = child;
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  const line = new Promise<void>((resolve) => {
    child.stdout.on('data', () => said.out.includes('\n') && resolve());
  });
  return { child, said, line, ended: once(child, 'close') };
}

function program(source: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'countersign-demo-test-')), 'bot.mjs');
  writeFileSync(file, source);
  return file;
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  'the demo prints its address in one line, and ends cleanly on %s',
  async (signal) => {
    const { child, said, line, ended } = startDemo('test/sandbox/fixtures/echo-bot.ts', { PORT: ANY_PORT });
    await line;

    expect(said.out).toMatch(/^Countersign is ready: http:\/\/127\.0\.0\.1:[1-9]\d*\/\n$/);
    const page = said.out.trim().split(' ').at(-1) ?? '';
    expect(await (await fetch(page)).text()).toContain('Demo workspace');

    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(said).toEqual({ out: `Countersign is ready: ${page}\n`, err: '' });
  },
);

it('the demo says in one line that the bot died, with the end of its log', async () => {
  const bot = program("console.error('SLACK_BOT_TOKEN is wrong.'); process.exit(3);");
  const { said, ended } = startDemo(bot, { PORT: ANY_PORT });

  expect(await ended).toEqual([1, null]);
  expect(said.err).toBe('Countersign stopped by itself (exit code 3). The end of its log: SLACK_BOT_TOKEN is wrong.\n');
  expect(said.out).toBe('');
});

it('the demo leads the bot to the sandbox alone, and to the real model where it has a key', async () => {
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'SLACK_SIGNING_SECRET', 'REDIS_URL', 'SLACK_BOT_TOKEN'];
  const bot = program(
    `console.log(${JSON.stringify(names)}.map((name) => name + '=' + process.env[name]).join(' ')); process.exit(1);`,
  );
  const elsewhere = { SLACK_SIGNING_SECRET: 's', REDIS_URL: 'redis://x', SLACK_BOT_TOKEN: 'xoxb-real' };
  const scripted = startDemo(bot, { ...elsewhere, PORT: ANY_PORT, ANTHROPIC_API_KEY: '' });
  await scripted.ended;
  const real = startDemo(bot, { ...elsewhere, PORT: ANY_PORT, ANTHROPIC_API_KEY: 'sk-real' });
  await real.ended;

  expect(scripted.said.err).toMatch(
    /ANTHROPIC_API_KEY=sandbox ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/anthropic SLACK_SIGNING_SECRET=undefined REDIS_URL=undefined SLACK_BOT_TOKEN=xoxb-sandbox/,
  );
  expect(real.said.err).toContain('ANTHROPIC_API_KEY=sk-real ANTHROPIC_BASE_URL=undefined');
});

it('the demo starts the bot in a folder that has no .env file of the project (MF-15)', async () => {
  const bot = program("console.log('in ' + process.cwd()); process.exit(1);");
  const { ended, said } = startDemo(bot, { PORT: ANY_PORT });
  await ended;

  expect(said.err).toMatch(/in \S*countersign-demo-/);
});

it('the demo refuses a port that is taken', async () => {
  const first = startDemo('test/sandbox/fixtures/echo-bot.ts', { PORT: ANY_PORT });
  await first.line;
  const port = new URL(first.said.out.split(' ').at(-1) ?? '').port;

  const second = startDemo('test/sandbox/fixtures/echo-bot.ts', { PORT: port });
  expect(await second.ended).toEqual([1, null]);
  expect(second.said.err).toBe(`Port ${port} is taken or is no port. Set PORT to a free one, or leave it out.\n`);

  first.child.kill('SIGTERM');
  await first.ended;
});
