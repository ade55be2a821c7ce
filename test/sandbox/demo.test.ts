import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { DEMO_KEY } from '../../sandbox/demo/sign-on.ts';
import { everybody, everyGroup } from '../../sandbox/people.ts';
import { folderOfTest } from '../support/folder.ts';
import { COMPILED_SOURCES } from '../support/servers.ts';

/** A port that the system chooses while the demo listens: no other test can take it in between. */
const ANY_PORT = '0';
const ECHO_BOT = resolve('test/sandbox/fixtures/echo-bot.ts');

/** Started as `npm run demo -- OPTIONS` starts it, with another program in the place of the bot. */
let demos: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];

afterEach(async () => {
  for (const { child } of demos) child.kill('SIGKILL');
  await Promise.all(demos.map(({ ended }) => ended));
  demos = [];
});

function startDemo(bot: string, environment: NodeJS.ProcessEnv, ...options: readonly string[]) {
  const child = spawn(process.execPath, ['sandbox/demo.ts', ...options], {
    // Without a path there is no Redis.
    env: {
      ...process.env,
      ...{ PATH: '', DEMO_BOT: bot, DEMO_DATA_DIR: newFolder(), NODE_COMPILE_CACHE: COMPILED_SOURCES },
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  demos.push({ child, ended });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  const line = new Promise<void>((resolve) => {
    child.stdout.on('data', () => said.out.includes('npm run audit') && resolve());
  });
  return { child, said, line, ended };
}

function program(source: string): string {
  const file = join(folderOfTest('demo-test'), 'bot.mjs');
  writeFileSync(file, source);
  return file;
}

/** The bot of the fixtures, which leaves its process id in its folder. `first` runs before that, with the name of that file. */
function echoBot(first = ''): string {
  return program(`
    import { existsSync, writeFileSync } from 'node:fs';
    const file = process.env.DATA_DIR + '/pid';
    ${first}
    writeFileSync(file, String(process.pid));
    process.argv[1] = ${JSON.stringify(ECHO_BOT)};
    await import(${JSON.stringify(pathToFileURL(ECHO_BOT).href)});`);
}

const newFolder = () => folderOfTest('demo-test');
const pidIn = (folder: string) => Number(readFileSync(join(folder, 'pid'), 'utf8'));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const addressIn = (said: string) => /Countersign is ready: (\S+)/.exec(said)?.[1] ?? '';

it.each(['SIGINT', 'SIGTERM'] as const)(
  'the demo prints its folder, its address and how to check it, and ends cleanly on %s (DEMO-4)',
  async (signal) => {
    const folder = newFolder();
    const environment = { PORT: ANY_PORT, DEMO_DATA_DIR: folder };
    const { child, said, line, ended } = startDemo('test/sandbox/fixtures/echo-bot.ts', environment);
    await line;

    const lines = said.out.split('\n');
    expect(lines).toEqual([
      `Countersign keeps this demo in ${folder}. To forget it: DEMO_DATA_DIR=${folder} npm run demo -- --fresh`,
      expect.stringMatching(/^Countersign is ready: http:\/\/127\.0\.0\.1:[1-9]\d*\/$/),
      `To check its journals: DATA_DIR=${folder} DATA_KEY=${DEMO_KEY} npm run audit -- verify`,
      '',
    ]);
    expect(await (await fetch(addressIn(said.out))).text()).toContain('Demo workspace');

    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(said).toEqual({ out: lines.join('\n'), err: '' });
  },
);

it('the demo says in one line that the bot died, with the end of its log', async () => {
  const bot = program("console.error('SLACK_BOT_TOKEN is wrong.'); process.exit(3);");
  const { said, ended } = startDemo(bot, { PORT: ANY_PORT });

  expect(await ended).toEqual([1, null]);
  expect(said.err).toBe('Countersign stopped by itself (exit code 3). The end of its log: SLACK_BOT_TOKEN is wrong.\n');
  expect(said.out).not.toContain('ready');
});

it('the demo starts the bot again after it was killed, and the page says so meanwhile (DEMO-2)', async () => {
  const bot = echoBot();
  const folder = newFolder();
  const { line, said, child } = startDemo(bot, { PORT: ANY_PORT, DEMO_DATA_DIR: folder });
  await line;
  const page = async () => (await fetch(`${addressIn(said.out)}page/app`)).text();
  const first = pidIn(folder);
  process.kill(first, 'SIGKILL');

  await expect.poll(page).toContain('The bot is gone. It comes back by itself');
  await expect.poll(() => pidIn(folder)).not.toBe(first);
  await expect.poll(page).not.toContain('The bot is gone');
  expect(said.err).toBe('');
  expect(child.exitCode).toBeNull();
});

it('the demo gives a bot up that dies again and again, with the end of its log (DEMO-2)', async () => {
  const bot = echoBot("if (existsSync(file)) { console.error('The configuration is wrong.'); process.exit(3); }");
  const folder = newFolder();
  const { said, line, ended } = startDemo(bot, { PORT: ANY_PORT, DEMO_DATA_DIR: folder });
  await line;
  process.kill(pidIn(folder), 'SIGKILL');

  expect(await ended).toEqual([1, null]);
  expect(said.err).toBe(
    'Countersign stopped by itself (exit code 3). The end of its log: The configuration is wrong.\n',
  );
});

it('a bot dies with a demo that was killed (DEMO-4)', async () => {
  const bot = echoBot();
  const folder = newFolder();
  const { line, child } = startDemo(bot, { PORT: ANY_PORT, DEMO_DATA_DIR: folder });
  await line;
  child.kill('SIGKILL');

  await expect.poll(() => isAlive(pidIn(folder))).toBe(false);
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

  expect(said.err).toMatch(/in \S*countersign-demo-test-/);
});

it('the demo refuses a port that is taken', async () => {
  const first = startDemo('test/sandbox/fixtures/echo-bot.ts', { PORT: ANY_PORT });
  await first.line;
  const { port } = new URL(addressIn(first.said.out));

  const second = startDemo('test/sandbox/fixtures/echo-bot.ts', { PORT: port });
  expect(await second.ended).toEqual([1, null]);
  expect(second.said.err).toBe(`Port ${port} is taken or not allowed here. Set PORT to a free one, or leave it out.\n`);

  first.child.kill('SIGTERM');
  await first.ended;
});

it('a second demo in the same folder is refused with the way out (DEMO-4)', async () => {
  const folder = newFolder();
  const first = startDemo(echoBot(), { PORT: ANY_PORT, DEMO_DATA_DIR: folder });
  await first.line;

  const second = startDemo(echoBot(), { PORT: ANY_PORT, DEMO_DATA_DIR: folder });
  expect(await second.ended).toEqual([1, null]);
  expect(second.said.err).toBe(
    `Another demo uses ${folder} (process ${first.child.pid}). Stop it, or set DEMO_DATA_DIR to another folder.\n`,
  );

  first.child.kill('SIGKILL');
  await first.ended;
  const third = startDemo(echoBot(), { PORT: ANY_PORT, DEMO_DATA_DIR: folder });
  await third.line;
  expect(third.said.err).toBe('');
});

it('the next start has the workspace, --fresh forgets it, and a folder with files from before is not emptied (DEMO-4)', async () => {
  const folder = newFolder();
  const startAndSay = async (text?: string, ...options: readonly string[]) => {
    const { line, said, child, ended } = startDemo(echoBot(), { DEMO_DATA_DIR: folder, PORT: ANY_PORT }, ...options);
    await Promise.race([line, ended]);
    if (child.exitCode !== null) return said.err;
    const address = addressIn(said.out);
    const body = JSON.stringify({ type: 'say', as: 'U0ZOE00001', channel: 'C0OPS00001', text });
    if (text !== undefined) await fetch(`${address}page/act`, { method: 'POST', body });
    const page = await (await fetch(address)).text();
    child.kill('SIGTERM');
    await ended;
    return page;
  };
  await startAndSay('remember me');
  expect(await startAndSay()).toContain('remember me');
  expect(await startAndSay(undefined, '--fresh')).not.toContain('remember me');

  writeFileSync(join(folder, 'demo.json'), '');
  expect(await startAndSay(undefined, '--fresh')).toMatch(
    /has files from before the demo, so --fresh does not empty it/,
  );
  expect(readdirSync(folder)).toContain('pid');
});

it('a folder that began with a Redis is not opened without one, and the line says what to do (DEMO-4)', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'demo.json'), '{"isOwn":true,"store":"redis"}');
  const { said, ended } = startDemo(echoBot(), { PORT: ANY_PORT, DEMO_DATA_DIR: folder });

  expect(await ended).toEqual([1, null]);
  expect(said.err).toBe(
    `${folder} was made with a Redis, and none is installed now. Install redis-server, or add --fresh.\n`,
  );
});

it('the demo runs the configuration behind --config, found from where its writer stands (DEMO-1)', async () => {
  const folder = folderOfTest('mine');
  writeFileSync(join(folder, 'mine.config.ts'), 'export default {};');
  const bot = program("console.log('it runs ' + process.env.COUNTERSIGN_CONFIG); process.exit(1);");

  for (const words of [['--config', 'mine.config.ts'], ['--config=mine.config.ts']]) {
    const { ended, said } = startDemo(bot, { PORT: ANY_PORT, INIT_CWD: folder }, ...words);
    await ended;
    expect(said.err).toContain(`it runs ${join(folder, 'mine.config.ts')}`);
  }
});

it('beside a configuration of your own, the demo prints the ids that its policy can name (DEMO-1)', async () => {
  const { said, line } = startDemo(ECHO_BOT, { PORT: ANY_PORT }, '--config', 'example/countersign.config.ts');
  await line;

  const [, , ids = ''] = said.out.split('\n');
  expect(ids).toBe('Ids for your policy: Ann U0ANN00001, Ben U0BEN00001, Zoe U0ZOE00001, the group of Ben S0ONCALL01');
  expect(everybody().filter(({ id, realName }) => ids.includes(`${realName.split(' ')[0]} ${id}`))).toHaveLength(3);
  expect(everyGroup()).toMatchObject([{ id: 'S0ONCALL01', members: ['U0BEN00001'] }]);
});

it.each([
  ['a configuration of your own is told', ['--config', 'example/countersign.config.ts'], 'a tool server is away\n'],
  ['the demo itself is not told', [], ''],
] as const)('of what the bot warns about while it runs, a person with %s (DEMO-1)', async (_what, options, told) => {
  const bot = echoBot("process.stderr.write('a tool server is away\\n');");
  const { said, line } = startDemo(bot, { PORT: ANY_PORT }, ...options);
  await line;

  // The two streams do not arrive in the order in which they were written.
  await expect.poll(() => said.err).toBe(told);
});

it('the demo runs its own configuration without --config (DEMO-1)', async () => {
  const bot = program("console.log('it runs ' + process.env.COUNTERSIGN_CONFIG); process.exit(1);");
  const { ended, said } = startDemo(bot, { PORT: ANY_PORT });
  await ended;

  expect(said.err).toMatch(/it runs \S*example\/demo\/countersign\.config\.ts/);
});

it.each([
  [['--config', 'none.config.ts'], /^There is no file \/\S*none\.config\.ts\. Correct the path behind --config\.\n$/],
  [
    ['--confg', 'mine.config.ts'],
    /^The demo has no option --confg\. Its options are:\n(.*\n)*.*--config mine\.config\.ts /,
  ],
  // What is left of `npm run demo --config mine.config.ts`: npm keeps an option for itself that stands before `--`.
  [['mine.config.ts'], /^The demo has no option mine\.config\.ts\. Its options are:\n/],
  [['--config='], /^Name a file behind --config, as in: npm run demo -- --config mine\.config\.ts\n$/],
])('the demo starts nothing with %j, and says what to do (DEMO-1)', async (words, told) => {
  const { ended, said } = startDemo(program('process.exit(9);'), { PORT: ANY_PORT }, ...words);

  expect(await ended).toEqual([1, null]);
  expect(said.err).toMatch(told);
  expect(said.out).toBe('');
});

it.each([
  [{ PORT: 'abc' }, /^PORT is abc, which is no port\. Set it to a number up to 65535, or leave it out\.\n$/],
  [{ PORT: '80000' }, /^PORT is 80000, which is no port\./],
  [
    { DEMO_DATA_DIR: resolve('package.json') },
    /^The demo cannot keep its data in \S*package\.json: ENOTDIR.*\. Set DEMO_DATA_DIR to a folder in which you may write\.\n$/,
  ],
])('the demo starts nothing with %j, and says in one line what to do (DEMO-4)', async (environment, told) => {
  const { ended, said } = startDemo(program('process.exit(9);'), { PORT: ANY_PORT, ...environment });

  expect(await ended).toEqual([1, null]);
  expect(said.err).toMatch(told);
  expect(said.out).toBe('');
});

it('the demo says which options it has when asked for help (DEMO-1)', async () => {
  const { ended, said } = startDemo(program('process.exit(9);'), { PORT: ANY_PORT }, '--help');

  expect(await ended).toEqual([0, null]);
  expect(said.out).toContain('npm run demo -- --fresh ');
});

it('the demo of a configuration of its visitor offers a call of any tool, and no play or step that needs the example (DEMO-5)', async () => {
  const { said, line } = startDemo(ECHO_BOT, { PORT: ANY_PORT }, '--config', 'test/support/anybody.config.ts');
  await line;

  const page = await (await fetch(addressIn(said.out))).text();
  expect(page).toContain('call my_tool {&quot;name&quot;:&quot;value&quot;}');
  expect(page).not.toMatch(/Skip the guide|restart the payments service/);
});
