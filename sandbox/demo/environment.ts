import type { Sandbox } from '../server.ts';
import { DEMO_KEY } from './sign-on.ts';

export interface BotPlace {
  /** The folder for its data. */
  readonly data: string;
  readonly config: string;
  readonly port: number;
  /** Where people reach its pages. */
  readonly publicUrl: string;
}

/** The environment of the bot: the addresses of the sandbox, without any variable that could lead it to the real Slack. */
export function environmentFor(
  { slackApiUrl, botToken, appToken, anthropicBaseUrl }: Sandbox,
  { data, config, port, publicUrl }: BotPlace,
): NodeJS.ProcessEnv {
  const { env } = process;
  const elsewhere = /^(SLACK_|REDIS_|DATA_|HOST$|PORT$|PUBLIC_URL$|COUNTERSIGN_)/;
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !elsewhere.test(name)));
  const realModel = env.ANTHROPIC_API_KEY !== undefined && env.ANTHROPIC_API_KEY !== '';
  return {
    ...own,
    ...(realModel ? {} : { ANTHROPIC_API_KEY: 'sandbox', ANTHROPIC_BASE_URL: anthropicBaseUrl }),
    SLACK_API_URL: slackApiUrl,
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    DATA_DIR: data,
    COUNTERSIGN_CONFIG: config,
    // Long enough to be seen, and to die in.
    EXAMPLE_TOOL_MS: env.EXAMPLE_TOOL_MS ?? '800',
    LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
    PORT: `${port}`,
    PUBLIC_URL: publicUrl,
    DATA_KEY: DEMO_KEY,
  };
}
