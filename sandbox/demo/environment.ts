import { join } from 'node:path';
import type { Sandbox } from '../server.ts';
import { ROOT } from './paths.ts';
import { freePort } from './ports.ts';

/** The environment of the bot: the addresses of the sandbox, without any variable that could lead it to the real Slack. */
export async function environmentFor(
  { slackApiUrl, botToken, appToken, anthropicBaseUrl }: Sandbox,
  data: string,
): Promise<NodeJS.ProcessEnv> {
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
    COUNTERSIGN_CONFIG: join(ROOT, 'example', 'countersign.config.ts'),
    // Long enough to be seen, and to die in.
    EXAMPLE_TOOL_MS: env.EXAMPLE_TOOL_MS ?? '800',
    LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
    PORT: `${await freePort()}`,
  };
}
