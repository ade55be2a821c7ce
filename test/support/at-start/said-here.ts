import { join } from 'node:path';
import { build } from '../../../app/build.ts';
import { readEnvironment } from '../../../app/config/index.ts';
import type { Bot } from '../../../app/lifecycle.ts';
import { createLog } from '../../../app/log.ts';
import { startProblems } from '../../../app/start.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { meet, type StartingBot, saidAtStart, toItsWords, troubleIn } from './said.ts';
import type { Env, Trouble } from './trouble.ts';

/**
 * What a bot in this process says of a trouble, in a twentieth of the time. Only what the process itself has to do with it,
 * such as its Node or its file of variables, needs a process of its own.
 */
export function saidHere(trouble: Trouble, sandbox: Sandbox): Promise<string> {
  return trouble.ofProcess === true ? saidAtStart(trouble, sandbox) : meet(trouble, sandbox, startHere);
}

function startHere(folder: string, env: Env): StartingBot {
  const said: string[] = [];
  let bot: Bot | undefined;
  let isOver = false;
  const settings = { ...env, DATA_DIR: join(folder, env.DATA_DIR ?? '.data') };
  const start = async () => {
    const environment = readEnvironment(settings);
    const log = createLog('info', (line) => {
      // A process ends here, and what it would still say is not read.
      if (!isOver) said.push(...troubleIn(line));
    });
    bot = await build({ env: settings, cwd: folder, environment, log, learnSecret: () => {}, hidePatterns: () => {} });
    await bot.start();
  };
  const running = start().catch((error: unknown) => {
    said.push(...startProblems(error));
    isOver = true;
  });
  return {
    runs: () => running,
    says: async () => {
      // Where all bots of the troubles are slow, some warn of a Redis that cannot be reached before they meet their trouble.
      await running;
      await toItsWords(() => said, running, isOver ? running : new Promise(() => {}));
      return said;
    },
    end: async () => {
      await running;
      // A bot that could not start may not be able to stop either.
      await bot?.stop().catch(() => {});
      bot = undefined;
    },
  };
}
