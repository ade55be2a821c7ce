import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Fault } from '../../sandbox/faults.ts';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { logged } from '../support/bot.ts';
import { COMPILED_SOURCES, freePort } from '../support/servers.ts';

let dataDir: string;
let sandbox: Sandbox | undefined;
const children: ChildProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-'));
});
afterEach(async () => {
  // With what npm may have left running.
  for (const { pid } of children.splice(0)) if (pid !== undefined) killGroup(pid);
  await sandbox?.close();
  sandbox = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
    // All of it has ended.
  } catch {}
}

/** The program as started from a terminal. */
function start(env: Readonly<Record<string, string>>, command: readonly string[] = [process.execPath, 'app/main.ts']) {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILED_SOURCES,
      SLACK_BOT_TOKEN: 'xoxb-sandbox',
      SLACK_APP_TOKEN: 'xapp-1-sandbox',
      ANTHROPIC_API_KEY: 'sk-test',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  children.push(child);
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, ended, said: () => said };
}

it('the bot says that Slack cannot be reached, where, why, and what to do', async () => {
  const { ended, said } = start({ SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api/` });

  expect(await ended).toBe(1);
  expect(said().trim().split('\n')).toEqual([
    expect.stringMatching(
      /^Countersign could not start: Slack cannot be reached at http:\/\/127.0.0.1:\d+\/api\/ \(ECONNREFUSED\)\. Check /,
    ),
  ]);
});

it('the bot says that it cannot make its folder, also where the system refuses every new one (SURF-5)', async () => {
  const { ended, said } = start({ DATA_DIR: '/proc/nope' });

  expect(await ended).toBe(1);
  expect(said()).toMatch(
    /^Countersign could not start: The bot cannot keep its facts in the folder \/proc\/nope: .*\n$/,
  );
});

it('the bot says at its start that retention can write no archive, and what to do (EDGE-2)', async () => {
  sandbox = await startSandbox();
  const config = join(dataDir, 'countersign.config.mjs');
  writeFileSync(config, "export default { retention: { afterMs: 200_000_000, folder: '/dev/null/archive' } };");
  const { said } = start({
    SLACK_API_URL: sandbox.slackApiUrl,
    SLACK_BOT_TOKEN: sandbox.botToken,
    SLACK_APP_TOKEN: sandbox.appToken,
    COUNTERSIGN_CONFIG: config,
  });

  await logged({ log: said }, 'No archive can be written, so retention removes nothing. Set retention.folder to');
  expect(said()).toContain('/dev/null/archive');
});

it('the bot says that Slack refuses the token, and where to find the right one', async () => {
  sandbox = await startSandbox();
  const { ended, said } = start({ SLACK_API_URL: sandbox.slackApiUrl, SLACK_BOT_TOKEN: 'xoxb-wrong' });

  expect(await ended).toBe(1);
  expect(said().trim()).toMatch(/^Countersign could not start: Slack refuses SLACK_BOT_TOKEN \(invalid_auth\)\. Copy /);
});

it('the bot says that Slack refuses the app-level token, and where to find the right one (SURF-5)', async () => {
  sandbox = await startSandbox();
  const { ended, said } = start({ SLACK_API_URL: sandbox.slackApiUrl, SLACK_APP_TOKEN: 'xapp-wrong' });

  expect(await ended).toBe(1);
  expect(said()).toMatch(/^Countersign could not start: Slack refuses SLACK_APP_TOKEN \(invalid_auth\)\. Copy /m);
});

it.each([
  ['HTTP', { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 's' }],
  ['Socket Mode', {}],
])('the bot says which port is taken, and what to do, over %s (SURF-5)', async (_door, env) => {
  sandbox = await startSandbox();
  const port = new URL(sandbox.page).port;
  const { ended, said } = start({ SLACK_API_URL: sandbox.slackApiUrl, PORT: port, HOST: '127.0.0.1', ...env });

  expect(await ended).toBe(1);
  expect(said()).toBe(
    `Countersign could not start: Port ${port} is taken by another program. Stop that program, or set PORT to another port.\n`,
  );
});

it('the bot says that it cannot listen at an address that its machine does not have (SURF-5)', async () => {
  sandbox = await startSandbox();
  const port = `${await freePort()}`;
  const { ended, said } = start({ SLACK_API_URL: sandbox.slackApiUrl, PORT: port, HOST: '192.0.2.1' });

  expect(await ended).toBe(1);
  expect(said()).toBe(
    `Countersign could not start: Port ${port} of 192.0.2.1 cannot be listened on (EADDRNOTAVAIL). Set PORT and HOST to a port and an address of this machine.\n`,
  );
});

it('the bot says that it stops, even before it has started and logs anything', async () => {
  sandbox = await startSandbox();
  const { world } = sandbox;
  world.faults.set('auth.test', { type: 'hang' }, Number.POSITIVE_INFINITY);
  const { child, ended, said } = start({ SLACK_API_URL: sandbox.slackApiUrl });
  await world.until(() => world.requests.some(({ method }) => method === 'auth.test'));

  child.kill('SIGINT');

  expect(await ended).toBe(130);
  expect(said()).toBe('Stopped before Countersign was running.\n');
});

/** A bot whose run waits for the model. */
async function startAtWork(fault: Fault) {
  sandbox = await startSandbox();
  const { world, model } = sandbox;
  model.faults.set('messages', fault, Number.POSITIVE_INFINITY);
  const bot = start({
    SLACK_API_URL: sandbox.slackApiUrl,
    ANTHROPIC_BASE_URL: sandbox.anthropicBaseUrl,
    LOG_LEVEL: 'info',
  });
  await logged({ log: bot.said }, 'Countersign is running');
  await world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
  await world.until(() => model.requests.length === 1);
  return bot;
}

it('the bot ends at once on the second signal, even before its work has reached a safe point', async () => {
  const { child, ended, said } = await startAtWork({ type: 'hang' });

  child.kill('SIGTERM');
  await logged({ log: said }, 'Countersign is stopping.');
  child.kill('SIGINT');

  // A process that waits for what is at work ends with 0 and says so.
  expect(await ended).toBe(1);
  expect(said()).not.toContain('Stopped.');
});

it('the bot stops in order on one Ctrl-C, of which it gets the signal twice: from the terminal and from npm', async () => {
  const { child, ended, said } = await startAtWork({ type: 'slow', delayMs: 2_000 });

  child.kill('SIGINT');
  await logged({ log: said }, 'Countersign is stopping.');
  child.kill('SIGINT');

  expect(await ended).toBe(0);
  expect(said()).toContain('Stopped.');
});

it.each([
  ['start', 'Countersign is running'],
  ['demo', 'Countersign is ready'],
])('npm run %s stops in order what it has started when npm gets SIGTERM', async (script, begun) => {
  sandbox = await startSandbox();
  const environment = { SLACK_API_URL: sandbox.slackApiUrl, LOG_LEVEL: 'info', DEMO_DATA_DIR: dataDir };
  const { child, ended, said } = start({ ...environment, PORT: `${await freePort()}` }, ['npm', 'run', script]);
  await logged({ log: said }, begun);

  child.kill('SIGTERM');

  expect(await ended).toBe(0);
  expect(said()).toContain('Stopped.');
});

it('npm run audit -- tail leaves no process running when npm gets SIGTERM', async () => {
  sandbox = await startSandbox();
  const bot = start({ SLACK_API_URL: sandbox.slackApiUrl, LOG_LEVEL: 'info' });
  await logged({ log: bot.said }, 'Countersign is running');
  const { child, said } = start({}, ['npm', 'run', 'audit', '--', 'tail', '--since', '2020-01-01']);
  await logged({ log: said }, '"configured"');

  child.kill('SIGTERM');

  // Each process that npm has started holds the output open.
  await once(child, 'close');
});

it('the bot ends at once on a signal that is sent for longer than a second', async () => {
  const { child, ended, said } = await startAtWork({ type: 'hang' });

  const again = setInterval(() => child.kill('SIGTERM'), 100);

  expect(await ended).toBe(1);
  clearInterval(again);
  expect(said()).not.toContain('Stopped.');
});

it('the bot does not start with a configuration that asks for the reference profile, and names the setting (BEY-43)', async () => {
  sandbox = await startSandbox();
  const config = join(dataDir, 'countersign.config.ts');
  writeFileSync(config, "export default { profile: 'reference' };\n");
  const { ended, said } = start({
    SLACK_API_URL: sandbox.slackApiUrl,
    COUNTERSIGN_CONFIG: config,
    LOG_LEVEL: 'info',
  });
  const running = logged({ log: said }, 'Countersign is running').then(() => 'running');

  expect(await Promise.race([ended, running])).toBe(1);
  expect(said()).toContain('profile');
  expect(sandbox.world.requests).toEqual([]);
});
