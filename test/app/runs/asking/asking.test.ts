import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

it('tells those who are named to decide of a question only when there was time to answer it on the card', async () => {
  const elsewhere = { isInChannel: async ({ user }: { readonly user: string }) => user !== BEN };
  const bot = await inProcess({ tools: [tool('wipe', { effect: 'guarded', approvers: [BEN] })], people: elsewhere });
  bot.model.says(call('wipe'));
  await bot.mention(ANN, 'wipe payments');

  await bot.passes(LIMITS.noticeAfterMs - 1);
  expect(bot.thread.calls()).not.toContain('notify');
  await bot.passes(1);

  expect(bot.thread.calls()).toContain('notify');
});
