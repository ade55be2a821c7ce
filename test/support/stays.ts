import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aWhile, type RunningBot, type Stage } from './bot.ts';
import { type Engine, stageOn } from './engines.ts';
import { type HttpToolServer, startHttpToolServer } from './mcp-server.ts';

/** A bot that tells how long its thread works at one thing, with the tools of a tool server. */
export interface MeasuredBot {
  readonly stage: Stage;
  readonly bot: RunningBot;
  /** The longest that the thread of the bot worked at one thing while this happened, in milliseconds; 0 below what it tells. */
  readonly longestStay: (act: () => Promise<unknown>) => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** As long as `longest-stay.ts` keeps to itself. */
export const TOLD_FROM_MS = 15;

export async function startMeasured(
  tools: readonly string[],
  config: object,
  engine: Engine = 'sqlite',
): Promise<MeasuredBot> {
  const stage: Stage = await stageOn(engine);
  const server: HttpToolServer = await startHttpToolServer(tools.map((name) => ({ name })));
  const folder = mkdtempSync(join(tmpdir(), 'countersign-stays-'));
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { notes: { url: server.url } } }));
  writeFileSync(join(folder, 'countersign.config.mjs'), `export default ${JSON.stringify(config)};`);
  const bot = await stage.startBot({
    http: true,
    env: {
      COUNTERSIGN_CONFIG: join(folder, 'countersign.config.mjs'),
      DATA_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'https://decide.example.com',
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'longest-stay.ts')}`,
    },
  });

  return {
    stage,
    bot,
    longestStay: async (act) => {
      const from = bot.log().length;
      await act();
      await aWhile(200);
      const told = bot
        .log()
        .slice(from)
        .matchAll(/stayed for ([\d.]+) ms/g);
      return Math.max(0, ...[...told].map(([, ms]) => Number(ms)));
    },
    stop: async () => {
      await bot.stop();
      await stage.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
