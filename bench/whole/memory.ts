import { setTimeout as pause } from 'node:timers/promises';
import { diskFolder, memoryFolder } from '../folders.ts';
import type { Figure } from '../measure.ts';
import type { Bench, Part } from '../rounds.ts';
import { startWholeBot } from './stage.ts';

const WARM_UP = 5;
/** People who write at the same time. */
const AT_ONCE = 10;
const KB = 1_000;
const MB = 1_000_000;
/** A run that has waited for this long gives its memory back. */
const SOON_MS = 2_000;
/** By then the last of them has. */
const COLD_AFTER_MS = 3 * SOON_MS;
const SETTLES_MS = 500;

/** Measured once, after the rounds: it takes long, and depends on the machine the least. */
export const memoryPart: Part = {
  title: 'Memory of the whole bot while approvals wait',
  open: async ({ size }) => ({ figures: () => memoryFigures(size) }),
};

async function memoryFigures({ waiting }: Bench['size']): Promise<readonly Figure[]> {
  const hot = await grownBy(waiting, undefined);
  const cold = await grownBy(waiting, SOON_MS);
  // A part of a kilobyte is what the collector of garbage left.
  const each = (bytes: number): number => Math.round(bytes / KB);
  return [
    { what: 'the bot after a few turns, resident', value: hot.emptyBytes / MB, unit: 'MB' },
    { what: 'heap for each approval that waits, hot', value: each(hot.heapBytesEach), unit: 'KB', target: 25 },
    { what: 'heap for each approval that waits, cold', value: each(cold.heapBytesEach), unit: 'KB', target: 0 },
    {
      what: `resident above that, with ${waiting.toLocaleString('en')} waiting`,
      value: hot.residentBytes / MB,
      unit: 'MB',
      target: 40,
    },
    {
      what: `resident above that, with ${waiting.toLocaleString('en')} waiting, all cold`,
      value: cold.residentBytes / MB,
      unit: 'MB',
      target: 40,
    },
  ];
}

/**
 * How much a new bot grows while so many approvals wait. The heap of each is measured over the second half of them: while the
 * first half begins to wait, the heap also grows by the code that the engine compiles for what runs often.
 */
async function grownBy(waiting: number, hotMs: number | undefined) {
  const bot = await startWholeBot({
    dataDir: memoryFolder() ?? diskFolder(),
    ...(hotMs === undefined ? {} : { hotMs }),
  });
  for (let turn = 0; turn < WARM_UP; turn += 1) await bot.turn(1);
  const empty = await bot.memory();
  const after = async (more: number) => {
    for (let asked = 0; asked < more; asked += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, more - asked) }, () => bot.waits()));
    }
    await pause(hotMs === undefined ? SETTLES_MS : COLD_AFTER_MS);
    return bot.memory();
  };
  const first = Math.ceil(waiting / 2);
  const begun = await after(first);
  const full = await after(waiting - first);
  await bot.close();
  return {
    emptyBytes: empty.residentBytes,
    heapBytesEach: (full.heapBytes - begun.heapBytes) / (waiting - first),
    residentBytes: full.residentBytes - empty.residentBytes,
  };
}
