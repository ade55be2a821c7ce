import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../../app/limits.ts';
import { diskFolder, memoryFolder } from '../folders.ts';
import { type Figure, median } from '../measure.ts';
import type { Bench, Part } from '../rounds.ts';
import { startWholeBot, type WholeBot } from './stage.ts';

/** So many turns that the engine has compiled what runs often. What that takes is not for approvals that wait. */
const WARM_UP = 100;
/** So few that Slack takes all changes of their cards within a minute, and none of them waits while the heap is measured. */
const IN_PACE = 20;
/** People who write at the same time. */
const AT_ONCE = 10;
const KB = 1_000;
const MB = 1_000_000;
/** A run that has waited for this long gives its memory back. */
const SOON_MS = 3_000;
/** By then the last of them has. */
const COLD_AFTER_MS = 2.5 * SOON_MS;
const SETTLES_MS = 500;
const COLLECTIONS = 10;
const TIMES_HOT = 3;

/** Measured once, after the rounds: it takes long, and depends on the machine the least. */
export const memoryPart: Part = {
  title: 'Memory of the whole bot while approvals wait',
  open: async ({ size }) => ({ figures: () => memoryFigures(size) }),
};

async function memoryFigures({ waiting }: Bench['size']): Promise<readonly Figure[]> {
  const { emptyBytes, residentBytes } = await byDefault(waiting);
  const each = await hotAndCold(waiting);
  // A part of a kilobyte is what the collector of garbage left.
  const inKb = (bytes: number): number => Math.round(bytes / KB);
  const many = waiting.toLocaleString('en');
  return [
    { what: `the bot after ${WARM_UP} turns, resident`, value: emptyBytes / MB, unit: 'MB' },
    { what: 'heap for each approval that waits, hot', value: inKb(each.hotBytes), unit: 'KB', target: 25 },
    { what: 'heap for each approval that waits, cold', value: inKb(each.coldBytes), unit: 'KB', target: 0 },
    { what: `resident above that, with ${many} waiting`, value: residentBytes / MB, unit: 'MB', target: 40 },
    {
      what: `resident above that, with ${many} waiting, all cold`,
      value: (each.residentBytes - emptyBytes) / MB,
      unit: 'MB',
      target: 40,
    },
  ];
}

/** How much a new bot grows while so many approvals wait, of which it keeps some hot. */
async function byDefault(waiting: number) {
  const { bot, empty, asks } = await warmBot(WARM_UP);
  await asks(waiting);
  await pause(SETTLES_MS);
  const full = await bot.memory();
  await bot.close();
  return { emptyBytes: empty.residentBytes, residentBytes: full.residentBytes - empty.residentBytes };
}

/**
 * The same with runs that are cold soon. The first so many have the engine compile what asking takes. The heap of hot ones is what
 * they give back, and that of cold ones what as many more of them add.
 */
async function hotAndCold(waiting: number) {
  const { bot, asks } = await warmBot(IN_PACE, SOON_MS);
  const become = async (many: number, afterMs: number) => {
    await asks(many);
    await pause(afterMs);
    return settled(bot);
  };
  const first = await become(waiting, COLD_AFTER_MS);
  const hot: number[] = [];
  let cold = first;
  for (let time = 0; time < TIMES_HOT; time += 1) {
    const warm = await become(LIMITS.hotRuns, SETTLES_MS);
    cold = await become(0, COLD_AFTER_MS);
    hot.push((warm.heapBytes - cold.heapBytes) / LIMITS.hotRuns);
  }
  const full = await become(waiting, COLD_AFTER_MS);
  await bot.close();
  return {
    hotBytes: median(hot),
    coldBytes: (full.heapBytes - cold.heapBytes) / waiting,
    residentBytes: first.residentBytes,
  };
}

/** The memory once the engine has dropped the code that it compiled and that did not run again for a few collections. */
async function settled(bot: WholeBot) {
  for (let time = 0; time < COLLECTIONS; time += 1) await bot.memory();
  return bot.memory();
}

async function warmBot(turns: number, hotMs?: number) {
  const bot = await startWholeBot({
    dataDir: memoryFolder() ?? diskFolder(),
    ...(hotMs === undefined ? {} : { hotMs }),
  });
  for (let turn = 0; turn < turns; turn += 1) await bot.turn(1);
  const asks = async (many: number): Promise<void> => {
    for (let asked = 0; asked < many; asked += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, many - asked) }, () => bot.waits()));
    }
  };
  return { bot, asks, empty: await bot.memory() };
}
