import { expect, it } from 'vitest';
import type { RunId } from '../../../../app/records/index.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import type { Store } from '../../../../app/store/index.ts';
import { NotYetError } from '../../../../app/surface.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

/** A store that has lost each item of the first run from this position on. */
function losingItems() {
  let keeps = Number.POSITIVE_INFINITY;
  let first: RunId | undefined;
  const around = (store: Store): Store => ({
    ...store,
    readItems: async (run, from = 0) => {
      first ??= run;
      const items = await store.readItems(run, from);
      return run === first ? items.slice(0, Math.max(keeps - from, 0)) : items;
    },
  });
  return {
    around,
    loses: (from: number) => {
      keeps = from;
    },
  };
}

it('a thread hears that the words of an answer are lost, and its run ends (EDGE-3)', async () => {
  const { around, loses } = losingItems();
  const bot = await inProcess({ tools: [], around });
  bot.thread.breaks('say', new NotYetError('503'));
  await bot.mention(ANN, 'hello');
  loses(1);
  bot.thread.breaks('say');

  await bot.restarts();

  expect(bot.posts()).toEqual([WORDS.lostWords]);
  expect((await bot.journal()).at(-1)).toBe('sealed');
});

it('a run that has lost what a person said stops in plain words, and the next message of the thread is answered (EDGE-3)', async () => {
  const { around, loses } = losingItems();
  const bot = await inProcess({ tools: [tool('restart')], around });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  loses(0);
  await bot.restarts();
  await bot.press(ANN, bot.card(), 'approve');
  expect(bot.ran()).toEqual([]);
  expect(bot.posts()).toEqual([WORDS.lostRecord]);

  await bot.mention(ANN, 'hello');

  expect(bot.posts()).toEqual([WORDS.lostRecord, 'Done.']);
});
