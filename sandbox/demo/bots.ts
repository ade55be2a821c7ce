import { join, resolve } from 'node:path';
import type { Journal } from '../page/journal/journal.ts';
import type { Sandbox } from '../server.ts';
import { environmentFor } from './environment.ts';
import type { DemoFolder } from './folder.ts';
import { neededIn } from './needed.ts';
import type { DemoOptions } from './options.ts';
import { ROOT } from './paths.ts';
import { freePort } from './ports.ts';
import { startProgram } from './program.ts';
import { startSignOn } from './sign-on.ts';
import type { DemoStore } from './store/store.ts';
import { type SupervisedBot, superviseBot } from './supervisor.ts';
import { tallyOf } from './tricks/tally.ts';
import { tricksOn } from './tricks/tricks.ts';
import { witnessIn } from './tricks/witness.ts';

/** The processes of the bot: one, or several on one store. */
export interface Bots {
  readonly first: SupervisedBot;
  readonly stop: (withinMs: number) => Promise<void>;
}

export interface BotsOptions {
  readonly options: DemoOptions;
  readonly folder: DemoFolder;
  readonly sandbox: Sandbox;
  readonly store: DemoStore;
  readonly journal: Journal;
  /** The command that checks the journals. */
  readonly check: string;
  readonly stopWithinMs: number;
}

/** Longer than it ever takes, also on a store that was made slow. */
const LONG = { withinMs: 120_000 };

/** Starts the bot under supervision, and shows on the page what can be done to it. */
export async function startBots({
  options,
  folder,
  sandbox,
  store,
  journal,
  check,
  stopWithinMs,
}: BotsOptions): Promise<Bots> {
  let variables: NodeJS.ProcessEnv = {};
  const firstPort = await freePort();
  const signOn = await startSignOn(`http://127.0.0.1:${firstPort}`);
  const first = start(firstPort);
  let bots: readonly SupervisedBot[] = [first];
  const witness = witnessIn(join(folder.path, 'actions.jsonl'));
  const tricks = tricksOn({
    ...{ sandbox, store, witness, journal, bots: () => bots },
    ...(options.isOwnConfig ? { withoutExample: 'This needs the tools of the example. Start without --config.' } : {}),
    addReplica: async () => {
      bots = [...bots, start(await freePort())];
    },
    restart: async (changed) => {
      variables = changed;
      const all = bots;
      await Promise.all(all.map((bot) => bot.program().stop(stopWithinMs)));
      await sandbox.world.until(() => all.every((bot) => bot.isAway()), { ...LONG, what: 'the bot stops' });
      await sandbox.world.until(() => all.every((bot) => !bot.isAway()), { ...LONG, what: 'the bot starts' });
    },
  });
  const counts = () => tallyOf(sandbox.world, options.isOwnConfig ? undefined : witness.all());
  show();
  return {
    first,
    stop: async (withinMs) => {
      await Promise.all(bots.map((bot) => bot.stop(withinMs)));
      signOn.close();
    },
  };

  function start(port: number): SupervisedBot {
    const place = { ...{ data: folder.path, config: options.config, port }, publicUrl: signOn.url };
    const environment = { ...environmentFor(sandbox, place), ...store.variables };
    return superviseBot({
      start: () =>
        startProgram({
          file: resolve(options.bot ?? join(ROOT, 'app', 'main.ts')),
          // The bot reads the `.env` of its folder. The one of the project could lead it to the real Slack.
          folder: folder.path,
          environment: { ...environment, ...variables },
          onOutput: (text) => {
            if (options.isOwnConfig || process.env.LOG_LEVEL !== undefined) process.stderr.write(text);
          },
        }),
      connections: sandbox.sockets.count,
      onConnection: sandbox.world.onChange,
      onChange: () => {
        show();
        sandbox.changed();
      },
    });
  }

  function show(): void {
    const away = bots.filter((bot) => bot.isAway()).length;
    const who = away === bots.length ? 'The bot is gone.' : 'One of two processes of the bot is gone.';
    sandbox.show({
      ...{ tricks, counts, check, journal, hasOwnTools: options.isOwnConfig },
      neededIn: (message) => neededIn(message, sandbox.world),
      ...(away === 0 ? {} : { notice: `${who} It comes back by itself…` }),
    });
  }
}
