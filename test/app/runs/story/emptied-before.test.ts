import { expect, it } from 'vitest';
import type { Store } from '../../../../app/store/index.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { inProcess } from '../../../support/in-process/index.ts';
import { createModelStore } from '../../../support/model-store.ts';

it('a thread whose store is emptied before the model is asked first does not look busy for ever (EDGE-3)', async () => {
  let isEmptied = false;
  const around = (store: Store): Store => {
    const empty = createModelStore({ now: () => Date.now() });
    return new Proxy(store, { get: (_, name: keyof Store) => (isEmptied ? empty[name] : store[name]) });
  };
  const bot = await inProcess({ tools: [], shared: true, around });
  bot.at('run-started', () => {
    isEmptied = true;
  });

  await bot.mention(ANN, 'hello');

  expect(bot.model.requests).toEqual([]);
  expect(bot.thread.statuses().at(-1)).toBe('active');
});
