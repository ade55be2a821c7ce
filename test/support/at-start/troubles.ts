import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Each way in which a start ends with an error or gives a warning, by the subject of what the operator reads. */

export interface Trouble {
  readonly what: string;
  /** Changes to an environment with which the bot starts. An empty value takes a variable away. */
  readonly env?: Env;
  /** Files of the folder in which the bot is started. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (folder: string) => void;
  /** The environment of a bot that ran in this folder before, and was stopped. */
  readonly before?: Env;
  /** The environment of a bot that runs in this folder at the same time. */
  readonly beside?: Env;
}

export type Env = Readonly<Record<string, string>>;

/** Servers that a trouble needs. */
export interface Servers {
  readonly redisUrl: string;
  /** A port at which nothing listens. */
  readonly noPort: number;
  /** A port that a bot may take. */
  readonly port: number;
}

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
    'start-store': store(servers),
    'start-slack': slack(servers),
  };
}

const KEY = Buffer.alloc(32, 7).toString('base64');
const NEWER_KEY = Buffer.alloc(32, 8).toString('base64');
const INSTALLED = {
  ...{ SLACK_BOT_TOKEN: '', SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 's', SLACK_STATE_SECRET: 't' },
  DATA_KEY: KEY,
};

const environment = (): readonly Trouble[] => [
  { what: 'a Node that is too old', env: { NODE_OPTIONS: '--no-experimental-strip-types' } },
  { what: 'nothing is set', env: { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '', ANTHROPIC_API_KEY: '' } },
  { what: 'the tokens changed places', env: { SLACK_BOT_TOKEN: 'xapp-1', SLACK_APP_TOKEN: 'xoxb-1' } },
  {
    what: 'values that mean nothing',
    env: {
      ...{ SLACK_API_URL: 'slack.com/api/', REDIS_URL: 'localhost:6379', DATA_KEY: 'short', PORT: '99999' },
      ...{ HOST: 'my-laptop', LOG_LEVEL: 'loud', PUBLIC_URL: 'bot.example.com' },
    },
  },
  { what: 'half of what several workspaces need', env: { SLACK_CLIENT_ID: '1.2' } },
  { what: 'several workspaces, and none is listed', env: INSTALLED },
  { what: '.env cannot be read', prepare: (folder) => mkdirSync(join(folder, '.env')) },
];

/** A configuration file with this text, from its second line on. */
const configured = (what: string, ...lines: readonly string[]): Trouble => ({
  what,
  files: { 'countersign.config.ts': ['export default {', ...lines.map((line) => `  ${line}`), '};', ''].join('\n') },
});

const CONFIGURATION: readonly Trouble[] = [
  { what: 'the file is missing', env: { COUNTERSIGN_CONFIG: 'gone.ts' } },
  { what: 'a syntax error', files: { 'countersign.config.ts': 'export default {\n  limits: {,\n};\n' } },
  { what: 'no default export', files: { 'countersign.config.ts': 'export const config = {};\n' } },
  configured('an unknown word', 'toolz: [],'),
  configured('a bad value', 'times: {', '  hotMs: -1,', '},'),
  configured('workspaces by name', "workspaces: ['acme'],"),
  configured('a tool that there is not', 'policy: {', "  restart: { effect: 'asked' },", '},'),
  configured('an approver by name', 'policy: {', "  current_time: { approvers: ['@ben'] },", '},'),
  configured('a guarded tool that no person may approve', 'policy: {', "  current_time: { effect: 'guarded' },", '},'),
  configured('an open tool without a reason', 'policy: {', "  fetch_page: { effect: 'open' },", '},'),
  configured(
    'a reminder behind the end of its question',
    'policy: {',
    '  fetch_page: { expireAfterMs: 60_000, remindAfterMs: 60_000 },',
    '},',
  ),
  configured(
    'a rule that no person could approve',
    'rules: [',
    "  { name: 'At night', tool: 'current_time', effect: 'guard' },",
    '],',
  ),
  configured('a run that is removed too soon', "retention: { afterMs: 1_000, folder: 'archive' },"),
  configured(
    'a second factor without a page',
    'policy: {',
    "  current_time: { effect: 'guarded', approvers: ['U0BEN00001'], secondFactor: true },",
    '},',
  ),
  configured(
    'an approver whom Slack does not know',
    'policy: {',
    "  current_time: { effect: 'guarded', approvers: ['U0GONE0001'] },",
    '},',
  ),
];

const TOOLS: readonly Trouble[] = [
  { what: 'a tool that cannot be loaded', files: { 'tools/restart.ts': 'export const restart = ;\n' } },
  {
    what: 'an export that is no tool',
    files: {
      'tools/restart.ts': "export const restart = { name: 'restart', description: 'Restarts.', run: () => '' };\n",
    },
  },
  configured('the folder of tools is missing', "toolsFolder: 'gone',"),
  configured('the list of tool servers is missing', "toolServers: 'gone.json',"),
  configured('a policy without tool servers', 'policy: {', "  notes__add: { approvers: ['U0BEN00001'] },", '},'),
];

/** A list with this one tool server. */
const served = (what: string, server: object, ...policy: readonly string[]): Trouble => ({
  ...configured(what, ...policy),
  files: {
    ...configured(what, ...policy).files,
    'mcp.json': JSON.stringify({ mcpServers: { notes: server } }),
  },
});

const toolServers = ({ noPort }: Servers): readonly Trouble[] => [
  { what: 'the list of tool servers is no JSON', files: { 'mcp.json': '{ "mcpServers": ' } },
  served('a tool server that is nowhere', {}),
  served('a variable that is not set', { command: 'notes', env: { TOKEN: '$\u007bNOTES_TOKEN}' } }),
  served('a password that anyone could read', {
    url: 'http://notes.example.com/mcp',
    headers: { Authorization: 'Bearer x' },
  }),
  served(
    'a policy for another server',
    { url: `http://127.0.0.1:${noPort}/mcp` },
    'policy: {',
    "  issues__add: { approvers: ['U0BEN00001'] },",
    '},',
  ),
  served('a tool server that is away', { url: `http://127.0.0.1:${noPort}/mcp` }),
];

const store = ({ redisUrl, noPort }: Servers): readonly Trouble[] => [
  { what: 'another process has the store', beside: {} },
  {
    what: 'a newer version wrote the store',
    prepare: (folder) => withDatabase(folder, (database) => database.exec('PRAGMA user_version = 99')),
  },
  { what: 'the store is encrypted, and no key is set', before: { DATA_KEY: KEY } },
  { what: 'the store is encrypted with another key', before: { DATA_KEY: KEY }, env: { DATA_KEY: NEWER_KEY } },
  { what: 'Redis is away', env: { REDIS_URL: `redis://127.0.0.1:${noPort}` } },
  {
    what: 'Redis refuses the login',
    env: { REDIS_URL: redisUrl.replace('redis://', 'redis://bot:wrong@') },
  },
  {
    ...configured('a durability that one file cannot give', "durability: 'replica',"),
  },
  {
    ...configured('a durability that this Redis cannot give', "durability: 'replica',"),
    env: { REDIS_URL: redisUrl },
  },
];

function withDatabase(folder: string, change: (database: DatabaseSync) => void): void {
  mkdirSync(join(folder, '.data'));
  const database = new DatabaseSync(join(folder, '.data', 'countersign.sqlite'));
  change(database);
  database.close();
}

const slack = ({ noPort, port }: Servers): readonly Trouble[] => [
  { what: 'Slack cannot be reached', env: { SLACK_API_URL: `http://127.0.0.1:${noPort}/api/` } },
  { what: 'Slack refuses the bot token', env: { SLACK_BOT_TOKEN: 'xoxb-wrong' } },
  { what: 'Slack refuses the app token', env: { SLACK_APP_TOKEN: 'xapp-wrong' } },
  { what: 'the port is taken', beside: { DATA_DIR: 'other', PORT: `${port}` }, env: { PORT: `${port}` } },
];
