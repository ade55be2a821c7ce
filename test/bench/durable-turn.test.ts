import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDurableBot } from '../../bench/durable/bot.ts';
import { threadOf } from '../../bench/durable/threads.ts';

it('the durable turn of the bench runs its tool once for each yes, with the input that was approved, and asks once for each call', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const bot = await startDurableBot({ dataDir });
  onTestFinished(async () => {
    await bot.close();
    rmSync(dataDir, { recursive: true });
  });

  await bot.turn(threadOf('short'), 0);
  await bot.turn(threadOf('short'), 1);
  expect(bot.ran).toEqual([{ to: 1 }]);
  expect(new Set(bot.asked).size).toBe(1);
  expect(bot.asked).toHaveLength(1);

  await bot.turn(threadOf('short'), 3);
  expect(bot.ran).toEqual([{ to: 1 }, { to: 1 }, { to: 2 }, { to: 3 }]);
  expect(new Set(bot.asked).size).toBe(4);
  expect(bot.asked).toHaveLength(4);

  await bot.waits(threadOf('fresh'));
  expect(bot.ran).toHaveLength(4);
  expect(bot.asked).toHaveLength(5);
});
