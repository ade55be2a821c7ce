import { expect, it } from 'vitest';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

const never = (): Promise<never> => new Promise(() => {});

it('shows the card of a call at once while another one of few calls is still being looked at', async () => {
  const bot = await inProcess({ tools: [tool('restart'), tool('wipe', { preview: never })] });
  bot.model.says([call('restart'), call('wipe')]);

  await bot.mention(ANN, 'restart and wipe');

  expect(bot.cards()).toEqual(['restart pending']);
});
