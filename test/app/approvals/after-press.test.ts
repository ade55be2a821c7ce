import { expect, it } from 'vitest';
import { ANN } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';

it.each([
  ['Trust', 'trust', 1],
  ['Approve', 'approve', 0],
] as const)(
  'a press on %s writes the trust that it gives, if any, before the run goes on',
  async (_button, verdict, given) => {
    const bot = await inProcess({ tools: [tool('restart')] });
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    let times = 0;
    bot.at('trust-given', () => {
      times += 1;
    });
    bot.at('waiter-woken', () => new Promise(() => {}));

    expect(await bot.press(ANN, bot.card(), verdict)).toBe('decided');

    expect(bot.ran()).toEqual([]);
    expect([(await bot.store.journals('grant')).length, times]).toEqual([given, given]);
  },
);
