import { expect, it } from 'vitest';
import { z } from 'zod';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

const input = z.object({ text: z.string().optional(), list: z.array(z.number()).optional() });

it.each([
  ['bytes', { text: 'é'.repeat(500_000) }, 'bytes, and people can review at most 1000000'],
  ['values', { list: Array.from({ length: 5_000 }, () => 1) }, 'has more than 5000 values'],
])(
  'an input of more %s than people can review runs no open tool and makes no card, and the model hears why (EDGE-7, T20)',
  async (_what, large, why) => {
    const bot = await inProcess({ tools: [tool('ask', { input }), tool('look', { input, ...OPEN })] });
    bot.model.says([call('ask', large), call('look', large)]);

    await bot.mention(ANN, 'note this');

    expect(bot.thread.cards()).toEqual([]);
    expect(bot.ran()).toEqual([]);
    expect(bot.model.told()).toEqual([
      expect.stringMatching(`^ask-1: error .*${why}`),
      expect.stringMatching(`^look-1: error .*${why}`),
    ]);
  },
);
