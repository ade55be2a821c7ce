import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION } from './of-configuration.ts';
import { storeTroubles } from './of-store.ts';
import { TOOLS, toolServers } from './of-tools.ts';
import { KEY, type Servers, type Trouble } from './trouble.ts';

/** Each way in which a start ends with an error or gives a warning, by the subject of what the operator reads. */

export const SUBJECTS = [
  'start-environment',
  'start-configuration',
  'start-tools',
  'start-store',
  'start-slack',
] as const;

export type Troubles = Readonly<Record<(typeof SUBJECTS)[number], readonly Trouble[]>>;

export function troublesAtStart(servers: Servers): Troubles {
  return {
    'start-environment': environment(),
    'start-configuration': CONFIGURATION,
    'start-tools': [...TOOLS, ...toolServers(servers)],
    'start-store': storeTroubles(servers),
    'start-slack': slack(servers),
  };
}

const INSTALLED = {
  ...{ SLACK_BOT_TOKEN: '', SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 's', SLACK_STATE_SECRET: 't' },
  DATA_KEY: KEY,
};

const environment = (): readonly Trouble[] => [
  { what: 'a Node that is too old', ofProcess: true, env: { NODE_OPTIONS: '--no-experimental-strip-types' } },
  { what: 'nothing is set', env: { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '', ANTHROPIC_API_KEY: '' } },
  { what: 'the tokens changed places', env: { SLACK_BOT_TOKEN: 'xapp-1', SLACK_APP_TOKEN: 'xoxb-1' } },
  {
    what: 'values that mean nothing',
    env: {
      ...{ SLACK_API_URL: 'slack.com/api/', REDIS_URL: 'localhost:6379', DATA_KEY: 'short', PORT: '99999' },
      ...{ HOST: 'my-laptop', LOG_LEVEL: 'loud', PUBLIC_URL: 'bot.example.com' },
    },
  },
  {
    what: 'addresses that only look right',
    ofProcess: true,
    env: { DATA_DIR: '~/countersign', PUBLIC_URL: 'https://bot.example.com/slack' },
  },
  { what: 'half of what several workspaces need', env: { SLACK_CLIENT_ID: '1.2' } },
  { what: 'several workspaces, and none is listed', env: INSTALLED },
  { what: '.env cannot be read', ofProcess: true, prepare: (folder) => mkdirSync(join(folder, '.env')) },
];

const slack = ({ noPort, port }: Servers): readonly Trouble[] => [
  { what: 'Slack cannot be reached', env: { SLACK_API_URL: `http://127.0.0.1:${noPort}/api/` } },
  { what: 'Slack refuses the bot token', env: { SLACK_BOT_TOKEN: 'xoxb-wrong' } },
  { what: 'Slack refuses the app token', env: { SLACK_APP_TOKEN: 'xapp-wrong' } },
  { what: 'an address of another machine', env: { HOST: '192.0.2.1', PORT: `${port}` } },
  { what: 'the port is taken', beside: { DATA_DIR: 'other', PORT: `${port}` }, env: { PORT: `${port}` } },
];
