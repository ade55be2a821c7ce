import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { ANN } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';
import { HOUR_MS } from '../../support/journal.ts';

it('a card that Slack does not let the bot change is tried ever less often when its trust has ended, and then shows the end (SURF-1)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'a' }), 'Done.');
  await bot.mention(ANN, 'restart a');
  await bot.press(ANN, bot.card(), 'trust');
  bot.thread.breaks('paint approval', new Error('Slack is away.'));
  await bot.passes(HOUR_MS);
  const tries = () => bot.thread.calls().filter((one) => one === 'paint approval').length;
  const before = tries();

  for (let waited = 0; waited < HOUR_MS; waited += LIMITS.leaseMs) await bot.passes(LIMITS.leaseMs);
  expect(tries() - before).toBeLessThan(HOUR_MS / LIMITS.retryApartMs + 8);

  for (let waited = 0; waited < LIMITS.retryForMs; waited += LIMITS.retryApartMs) await bot.passes(LIMITS.retryApartMs);
  bot.thread.breaks('paint approval');
  await bot.passes(LIMITS.retryApartMs);
  expect(bot.thread.cards()).toMatchObject([{ trustEnded: {} }]);
});
