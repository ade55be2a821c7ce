import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { type Store, StoreUnavailableError } from '../../../../app/store/index.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

it.each(['once', 'for a while'] as const)(
  'a yes is not wasted when the store refuses the start of its call %s (EDGE-3)',
  async (how) => {
    let left = 0;
    const around = (store: Store): Store => ({
      ...store,
      append: async (wish) => {
        const isStart = wish.entries.some(({ text }) => text.includes('"call-started"'));
        if (left > 0 && (isStart || how === 'for a while')) {
          left -= 1;
          throw new StoreUnavailableError('The store is full.');
        }
        return store.append(wish);
      },
    });
    const bot = await inProcess({ tools: [tool('restart')], around });
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    let begins = 0;
    bot.at('call-starting', () => {
      begins += 1;
      if (begins === 1) left = how === 'once' ? 1 : 3;
    });
    await bot.press(ANN, bot.card(), 'approve');
    expect(bot.ran()).toEqual([]);
    expect(await bot.journal()).not.toContain('call-answered');

    for (let tries = 0; tries < 4; tries += 1) await bot.passes(LIMITS.leaseMs);

    expect(bot.ran()).toHaveLength(1);
    expect(bot.cards()).toEqual(['restart approved']);
    expect(bot.model.told()).toEqual(['restart-1: success restart is done']);
    expect(bot.posts()).toEqual([WORDS.storeAway, 'Done.']);
  },
);
