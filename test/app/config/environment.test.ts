import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EnvironmentError, readEnvironment } from '../../../app/config/environment.ts';
import { folderOfTest } from '../../support/folder.ts';

const good = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', ANTHROPIC_API_KEY: 'sk-1' };

const problems = (env: Readonly<Record<string, string | undefined>>): readonly string[] => {
  try {
    readEnvironment(env);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
};

describe('the environment', () => {
  it('chooses Socket Mode when there is an app token, and signed HTTP on port 3000 otherwise', () => {
    expect(readEnvironment(good).slack.door).toEqual({ type: 'socket', appToken: 'xapp-1' });
    expect(readEnvironment(good).port).toBeUndefined();

    const http = readEnvironment({ ...good, SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 's' });
    expect(http.slack.door).toEqual({ type: 'http', signingSecret: 's' });
    expect(http.port).toBe(3000);
  });

  it('treats an empty variable as one that is not set', () => {
    const empty = {
      REDIS_URL: '',
      DATA_DIR: '',
      DATA_KEY: '',
      PORT: '',
      HOST: '',
      SIGN_ON_SECRET: '',
      LOG_LEVEL: '',
      COUNTERSIGN_CONFIG: '',
      SLACK_API_URL: '',
    };

    expect(readEnvironment({ ...good, ...empty })).toEqual(readEnvironment(good));
  });

  it('takes a variable without the blanks and the line end around it, and one of blanks alone not for empty', () => {
    const set = { ...good, REDIS_URL: 'redis://redis-1/0', SIGN_ON_SECRET: 's', PORT: '80', DATA_DIR: '/data' };
    const padded = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, ` ${value}\n`]));

    expect(readEnvironment(padded)).toEqual(readEnvironment(set));
    expect(readEnvironment({ ...good, SIGN_ON_SECRET: '\n' }).signOnSecret).toBe('\n');
    expect(problems({ ...good, REDIS_URL: ' ' })).toEqual([expect.stringMatching(/^REDIS_URL is not an address/)]);
  });

  it('takes only an address as HOST, because a shell may have a variable of that name (EDGE-8)', () => {
    for (const HOST of ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'])
      expect(readEnvironment({ ...good, HOST }).host).toBe(HOST);

    expect(problems({ ...good, HOST: 'x86_64-conda-linux-gnu' })).toEqual([
      expect.stringMatching(/^HOST is not an address to listen on/),
    ]);
  });

  it('lets workspaces install the app when it has the client of the app, and then needs no token', () => {
    const { SLACK_BOT_TOKEN: _none, ...rest } = good;
    const many = {
      ...rest,
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 's',
      SLACK_STATE_SECRET: 't',
      DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    };

    expect(readEnvironment(many).slack.access).toEqual({
      type: 'many',
      clientId: '1.2',
      clientSecret: 's',
      stateSecret: 't',
    });
    expect(readEnvironment(many).port).toBe(3000);
    expect(problems({ ...many, DATA_KEY: '', SLACK_STATE_SECRET: '', SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual([
      expect.stringMatching(/^SLACK_STATE_SECRET is missing: several workspaces need it/),
      expect.stringMatching(/^DATA_KEY is missing: tokens of workspaces are kept only encrypted/),
      expect.stringMatching(/^SLACK_BOT_TOKEN is for one workspace/),
      expect.stringMatching(/^Fill in what is missing in \.env/),
    ]);
  });

  it('reports everything that is missing at once, a line each', () => {
    expect(problems({}).map((line) => line.split(' ')[0])).toEqual([
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'ANTHROPIC_API_KEY',
      'Fill',
    ]);
  });

  it('counts the placeholders of .env.example as missing, and says where to fill them in (MF-15)', () => {
    const example = parseEnv(readFileSync('.env.example', 'utf8'));

    expect(problems(example)).toEqual([
      expect.stringMatching(/^SLACK_BOT_TOKEN is missing: /),
      expect.stringMatching(/^SLACK_APP_TOKEN is missing: /),
      expect.stringMatching(/^ANTHROPIC_API_KEY is missing: /),
      'Fill in what is missing in .env, or set it in the environment of the process.',
    ]);
  });

  it('takes the app token that .env.example begins for none where deliveries come over HTTP (MF-15)', () => {
    const http = { ...good, SLACK_APP_TOKEN: 'xapp-', SLACK_SIGNING_SECRET: 's' };

    expect(readEnvironment(http).slack.door).toEqual({ type: 'http', signingSecret: 's' });
  });

  it.each([
    ['PORT', 'eighty', /^PORT is not a port\. Write a whole number from 1 to 65535\.$/],
    ['PORT', '99999', /^PORT is not a port/],
    ['PORT', '0', /^PORT is not a port\. Write/],
    ['PORT', '80.5', /^PORT is not a port\. Write/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be one of debug/],
    ['REDIS_URL', 'localhost', /^REDIS_URL is not an address of Redis\. Write redis:/],
    ['REDIS_URL', 'http://localhost', /^REDIS_URL is not an address of Redis/],
    ['DATA_KEY', 'c2hvcnQ=', /^DATA_KEY is not a key of 32 bytes/],
    ['ANTHROPIC_BASE_URL', 'localhost:8080', /^ANTHROPIC_BASE_URL is not a URL\. Write it whole, with http:/],
    ['SLACK_API_URL', 'localhost:4510/api/', /^SLACK_API_URL is not a URL\. Write it whole, with http:/],
    ['PUBLIC_URL', 'localhost:3000', /^PUBLIC_URL is not a URL\. Write it whole, with http:/],
    ['PUBLIC_URL', 'https://example.com/bot', /^PUBLIC_URL must end behind its host or port\./],
    ['PUBLIC_URL', 'https://example.com/?a=b', /^PUBLIC_URL must end behind its host or port\. Remove what follows\.$/],
    ['PUBLIC_URL', 'https://example.com?', /^PUBLIC_URL must end behind its host or port\./],
    ['PUBLIC_URL', 'https://example.com/#page', /^PUBLIC_URL must end behind its host or port\./],
    ['DATA_DIR', '~/countersign', /^DATA_DIR begins with ~, which only a shell replaces\. Write the whole path\.$/],
    ['SLACK_APP_TOKEN', 'xoxb-2', /^SLACK_APP_TOKEN is not an app-level token: an app-level token begins with xapp-\./],
    ['SLACK_BOT_TOKEN', 'xapp-2', /^SLACK_BOT_TOKEN is not a bot token: a bot token begins with xoxb-\./],
  ])('names %s when it is %s', (name, value, line) => {
    expect(problems({ ...good, [name]: value })).toEqual([expect.stringMatching(line)]);
  });
});

describe('npm start without variables', () => {
  it('ends with one clear line for each and one that says where to fill them in, exit code 1, and no stack trace', () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ['app/main.ts'], {
      env: { PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    });

    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(4);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('a command', () => {
  it.each(['audit', 'tools', 'keys', 'policy', 'manifest'])(
    'npm run %s says with --help how it is used, and refuses a word it does not know with the same (MF-15)',
    (script) => {
      const run = (word: string) => spawnSync('npm', ['run', '--silent', script, '--', word], { encoding: 'utf8' });
      const help = run('--help');
      const slip = run('--hlep');

      expect({ status: help.status, stderr: help.stderr }).toEqual({ status: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^Usage: npm run ${script} -- `));
      expect(slip).toMatchObject({ status: 2, stdout: '' });
      expect(slip.stderr).toMatch(/--hlep'?\.\n\nUsage: /);
      const slips = run('hlep');
      expect(slips).toMatchObject({ status: 2, stdout: '' });
      expect(slips.stderr).toMatch(/hlep\.\n\nUsage: /);
    },
  );

  it.each([['policy', 'check'], ['manifest']])(
    'npm run %s %s ends without a word when its reader goes away, and not as if it had finished (SURF-5)',
    async (script, ...words) => {
      const child = spawn(process.execPath, [`app/commands/${script}-main.ts`, ...words]);
      child.stdout.destroy();
      let said = '';
      child.stderr.on('data', (piece) => {
        said += piece;
      });
      const code = await new Promise((resolve) => child.once('close', resolve));

      expect({ code, said }).toEqual({ code: 141, said: '' });
    },
  );
});

describe('an older Node', () => {
  /** Node 24 without the part that older ones do not have. */
  const older = { PATH: process.env.PATH ?? '', NODE_OPTIONS: '--no-experimental-strip-types' };

  it.each(['start', 'audit', 'tools', 'keys', 'policy', 'manifest', 'demo'])(
    'is told in one line by npm run %s which Node the bot needs (EDGE-10)',
    (script) => {
      const { status, stderr, stdout } = spawnSync('npm', ['run', '--silent', script], {
        env: older,
        encoding: 'utf8',
      });

      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        /^Countersign needs Node 22\.18 or newer\. This is Node [\d.]+, which cannot run TypeScript\. Install a newer one\.\n$/,
      );
    },
  );
});

describe('a project without its packages', () => {
  it.each([
    ['start', []],
    ['demo', ['zod']],
  ])('is told by npm run %s, with %j installed, to run npm ci (SURF-5)', (script, installed) => {
    const folder = folderOfTest('not-installed');
    for (const file of ['package.json', 'app/commands/old-node.cjs']) cpSync(file, join(folder, file));
    for (const name of installed)
      cpSync(`node_modules/${name}`, join(folder, 'node_modules', name), { recursive: true });

    const { status, stderr, stdout } = spawnSync('npm', ['run', '--silent', script], { cwd: folder, encoding: 'utf8' });

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      'Countersign needs packages that are not installed. Run npm ci in the folder of the project, and try again.\n',
    );
  });
});
