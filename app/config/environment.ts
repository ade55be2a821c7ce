import { z } from 'zod';
import { LOG_LEVELS } from '../log.ts';
import { DataKeys } from '../secrets/index.ts';

/** An empty variable counts as not set. One that comes from a mounted file often ends with a line end. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : trimmed(value)), schema.optional());

/** A blank variable stays as it is: it was meant to be set, so it must not count as not set. */
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() || value : value);

const text = optional(z.string());
const url = optional(z.url({ protocol: /^https?$/, error: 'is not a URL. Write it whole, with http:// or https://' }));
/** The pages of the bot are at fixed paths, so what follows the host would be dropped from their links. */
const bareUrl = url.refine((address) => address === undefined || /^[^/]*\/*[^/?#]+\/?$/.test(address), {
  error: 'must end behind its host or port. Remove what follows',
});
/** A shell replaces it. In `.env` it would be the name of a folder. */
const pathOfFolder = text.refine((path) => path?.startsWith('~') !== true, {
  error: 'begins with ~, which only a shell replaces. Write the whole path',
});

/** An address with several hosts is no URL. `readRedisUrl` reads it later; here only its shape is checked. */
const redisUrl = optional(
  z.string().regex(/^rediss?(\+(sentinel|cluster))?:\/\/[^/]/, {
    error:
      'is not an address of Redis. Write redis://host:6379/0, redis+sentinel://host:26379,host:26379/name/0 or ' +
      'redis+cluster://host:6379,host:6379 (rediss for TLS)',
  }),
);

const PORT = 'is not a port. Write a whole number from 1 to 65535';

const Variables = z.object({
  SLACK_BOT_TOKEN: text,
  SLACK_APP_TOKEN: text,
  SLACK_SIGNING_SECRET: text,
  SLACK_API_URL: url,
  SLACK_CLIENT_ID: text,
  SLACK_CLIENT_SECRET: text,
  SLACK_STATE_SECRET: text,
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_MODEL: text,
  REDIS_URL: redisUrl,
  DATA_DIR: pathOfFolder,
  DATA_KEY: optional(DataKeys),
  PORT: optional(z.coerce.number(PORT).int(PORT).min(1, PORT).max(65_535, PORT)),
  HOST: optional(
    z.union([z.ipv4(), z.ipv6(), z.literal('localhost')], {
      error: 'is not an address to listen on. Write one of this machine, such as 127.0.0.1, or 0.0.0.0 for all',
    }),
  ),
  LOG_LEVEL: optional(z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })),
  PUBLIC_URL: bareUrl,
  SIGN_ON_SECRET: text,
  COUNTERSIGN_CONFIG: text,
});

/** One workspace with a given token, or every workspace that installs the app. */
export type SlackAccess =
  | { readonly type: 'one'; readonly botToken: string }
  | {
      readonly type: 'many';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly stateSecret: string;
    };

export interface Environment {
  readonly slack: {
    readonly access: SlackAccess;
    readonly door:
      | { readonly type: 'socket'; readonly appToken: string }
      | { readonly type: 'http'; readonly signingSecret: string };
    readonly apiUrl: string | undefined;
  };
  readonly anthropic: {
    readonly apiKey: string;
    readonly baseUrl: string | undefined;
    readonly model: string | undefined;
  };
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  /** The keys that encrypt secrets in the store. The newest comes first. */
  readonly dataKeys: DataKeys | undefined;
  readonly port: number | undefined;
  /** The address of this machine to listen on. */
  readonly host: string | undefined;
  /** The address of the bot for the browsers of people. */
  readonly publicUrl: string | undefined;
  /** What the proxy with the sign-on sends beside the name of the person, so that no other client can. */
  readonly signOnSecret: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly configFile: string | undefined;
}

/** Where facts are stored. A program that only reads them needs no more. */
export type StoreAddress = Pick<Environment, 'redisUrl' | 'dataDir' | 'dataKeys'>;

export function readStoreAddress(env: Readonly<Record<string, string | undefined>>): StoreAddress {
  const parsed = Variables.pick({ REDIS_URL: true, DATA_DIR: true, DATA_KEY: true }).safeParse(env);
  if (!parsed.success) {
    throw new EnvironmentError(parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`));
  }
  const { REDIS_URL, DATA_DIR: folder = DATA_DIR, DATA_KEY } = parsed.data;
  return { redisUrl: REDIS_URL, dataDir: folder, dataKeys: DATA_KEY };
}

/** How the bot reaches Slack. A program that only asks Slack needs no more. */
export function readSlackAccess(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Environment['slack'], 'access' | 'apiUrl'> {
  const address = Variables.pick({ SLACK_API_URL: true }).safeParse(env);
  const problems: string[] = [];
  const access = readAccess(env, problems);
  if (!address.success) problems.push('SLACK_API_URL is not a URL. Write it whole, with http:// or https://.');
  if (!address.success || access === undefined || problems.length > 0) throw new EnvironmentError(problems);
  return { access, apiUrl: address.data.SLACK_API_URL };
}

/** The port for deliveries over HTTP when PORT is not set. */
const HTTP_PORT = 3000;
/** The folder of the embedded store when DATA_DIR is not set. */
const DATA_DIR = '.data';

/** Reads the environment once, at start. All its faults are reported at once, one line for each variable. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const parsed = Variables.safeParse(env);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`);
  const given = { ...env, ...(parsed.success ? parsed.data : {}) };
  const missing = (name: string, why: string): void => {
    problems.push(`${name} is missing: ${why}`);
  };

  const access = readAccess(given, problems);
  const appToken = blank(given.SLACK_APP_TOKEN);
  const signingSecret = blank(given.SLACK_SIGNING_SECRET);
  const apiKey = blank(given.ANTHROPIC_API_KEY);
  if (appToken === undefined && signingSecret === undefined) {
    missing(
      'SLACK_APP_TOKEN',
      'set it (xapp-…, scope connections:write) for Socket Mode, or SLACK_SIGNING_SECRET for deliveries over HTTP.',
    );
  }
  if (apiKey === undefined) missing('ANTHROPIC_API_KEY', 'create a key in the Anthropic console.');
  if (appToken !== undefined && !appToken.startsWith('xapp-')) {
    problems.push(
      'SLACK_APP_TOKEN is not an app-level token: an app-level token begins with xapp-. The bot token goes into SLACK_BOT_TOKEN.',
    );
  }
  if (!parsed.success || problems.length > 0 || access === undefined || apiKey === undefined) {
    throw new EnvironmentError(problems);
  }

  const door =
    appToken !== undefined
      ? ({ type: 'socket', appToken } as const)
      : ({ type: 'http', signingSecret: signingSecret ?? '' } as const);
  return {
    slack: { access, door, apiUrl: parsed.data.SLACK_API_URL },
    anthropic: { apiKey, baseUrl: parsed.data.ANTHROPIC_BASE_URL, model: parsed.data.ANTHROPIC_MODEL },
    redisUrl: parsed.data.REDIS_URL,
    dataDir: parsed.data.DATA_DIR ?? DATA_DIR,
    dataKeys: parsed.data.DATA_KEY,
    port: parsed.data.PORT ?? (door.type === 'http' || access.type === 'many' ? HTTP_PORT : undefined),
    host: parsed.data.HOST,
    publicUrl: parsed.data.PUBLIC_URL,
    signOnSecret: parsed.data.SIGN_ON_SECRET,
    logLevel: parsed.data.LOG_LEVEL ?? 'info',
    configFile: parsed.data.COUNTERSIGN_CONFIG,
  };
}

type Given = Readonly<Record<string, unknown>>;

/** A client id means that workspaces install the app themselves. Then no token may be given. */
function readAccess(given: Given, problems: string[]): SlackAccess | undefined {
  const botToken = blank(given.SLACK_BOT_TOKEN);
  const [clientId, clientSecret, stateSecret] = OAUTH.map(([name]) => blank(given[name]));
  if (clientId === undefined && clientSecret === undefined && stateSecret === undefined) {
    if (botToken === undefined) {
      problems.push('SLACK_BOT_TOKEN is missing: copy the Bot User OAuth Token (xoxb-…) of the Slack app.');
    } else if (!botToken.startsWith('xoxb-')) {
      problems.push(
        'SLACK_BOT_TOKEN is not a bot token: a bot token begins with xoxb-. The app-level token goes into SLACK_APP_TOKEN.',
      );
    }
    return botToken === undefined ? undefined : { type: 'one', botToken };
  }
  for (const [name, how] of OAUTH) {
    if (blank(given[name]) === undefined) problems.push(`${name} is missing: several workspaces need it. ${how}`);
  }
  if (given.DATA_KEY === undefined || given.DATA_KEY === '') {
    problems.push(
      'DATA_KEY is missing: tokens of workspaces are kept only encrypted. Write what `openssl rand -base64 32` prints.',
    );
  }
  if (botToken !== undefined) {
    problems.push(
      'SLACK_BOT_TOKEN is for one workspace, and SLACK_CLIENT_ID for all that install the app. Remove one of the two.',
    );
  }
  if (clientId === undefined || clientSecret === undefined || stateSecret === undefined) return undefined;
  return { type: 'many', clientId, clientSecret, stateSecret };
}

const OAUTH = [
  ['SLACK_CLIENT_ID', 'Copy it from Basic Information of the Slack app.'],
  ['SLACK_CLIENT_SECRET', 'Copy it from Basic Information of the Slack app.'],
  ['SLACK_STATE_SECRET', 'Make it up: any long text that cannot be guessed.'],
] as const;

/** True wherever a variable comes from. */
const FILL_IN = 'Fill in what is missing in .env, or set it in the environment of the process.';

/** Nothing is written there, or only the beginning of a token that `.env.example` has. */
function blank(value: unknown): string | undefined {
  const written = typeof value === 'string' ? value.trim() : '';
  return ['', 'xoxb-', 'xapp-'].includes(written) ? undefined : written;
}

/** The environment cannot be used. `problems` has a line for each variable, and a last one if something is missing. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const missing = problems.some((line) => / is missing[.:]/.test(line));
    const lines = missing ? [...problems, FILL_IN] : problems;
    super(lines.join('\n'));
    this.problems = lines;
  }
}
