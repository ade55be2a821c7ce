import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, mention, openStage, type Stage } from '../support/bot.ts';

let stage: Stage;
afterEach(() => stage.close());

it('a stop while Slack hangs ends before a platform kills the process, 30 seconds after SIGTERM (EDGE-3)', async () => {
  stage = await openStage();
  const bot = await stage.startBot();
  stage.world.faults.set('*', { type: 'hang' }, Number.POSITIVE_INFINITY);
  await mention(stage, ANN, 'restart the payments service');
  await aWhile(2_000);
  const beganMs = performance.now();

  await bot.stop();

  expect(performance.now() - beganMs).toBeLessThan(30_000);
  expect(bot.log()).toContain('"Stopped."');
});
