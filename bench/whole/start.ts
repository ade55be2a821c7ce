import { startSandbox } from '../../sandbox/server.ts';
import { startDurableBot } from '../durable/bot.ts';
import { threadsOf } from '../durable/threads.ts';
import { diskFolder, memoryFolder } from '../folders.ts';
import { type Figure, median } from '../measure.ts';
import type { Bench, Part } from '../rounds.ts';
import { startBotProcess } from './process.ts';

const MOST_TIMES = 5;

/** Measured once, after the rounds. */
export const startPart: Part = {
  title: 'The start of the whole bot, with the code as it was compiled at the first start',
  open: async ({ size }) => ({ figures: () => startFigures(size) }),
};

async function startFigures({ pending, rounds }: Bench['size']): Promise<readonly Figure[]> {
  const empty = memoryFolder() ?? diskFolder();
  const full = memoryFolder() ?? diskFolder();
  await fill(full, pending);
  const [without, behind] = await startMs(empty, full, Math.min(MOST_TIMES, rounds));
  const many = pending.toLocaleString('en');
  return [
    { what: 'SQLite: start of an empty bot', value: without, unit: 'ms' },
    { what: `SQLite: start with ${many} approvals waiting`, value: behind, unit: 'ms' },
  ];
}

async function fill(dataDir: string, pending: number): Promise<void> {
  const bot = await startDurableBot({ dataDir });
  const next = threadsOf('waiting');
  for (let asked = 0; asked < pending; asked += 1) await bot.waits(next());
  await bot.close();
}

/** The medians of both, started in turn. */
async function startMs(empty: string, full: string, times: number): Promise<readonly [number, number]> {
  const sandbox = await startSandbox();
  const start = async (dataDir: string): Promise<number> => {
    const bot = await startBotProcess(sandbox, { dataDir });
    await bot.kill();
    return bot.startMs;
  };
  // The first start of each compiles the code.
  const started: (readonly [number, number])[] = [];
  for (let time = 0; time <= times; time += 1) started.push([await start(empty), await start(full)]);
  await sandbox.close();
  const [, ...later] = started;
  return [median(later.map(([one]) => one)), median(later.map(([, other]) => other))];
}
