import { expect, it } from 'vitest';
import { RunId, UserId } from '../../../app/records/index.ts';
import { ANN } from '../../../sandbox/people.ts';
import { type Bot, inProcess, THREAD } from '../../support/in-process/index.ts';
import { runId } from '../../support/journal.ts';

async function answered(): Promise<Bot> {
  const bot = await inProcess({ tools: [] });
  await bot.mention(ANN, 'hello');
  return bot;
}

async function opinionOn(bot: Bot) {
  const [run = ''] = await bot.store.journals('run');
  const card = { channel: THREAD.channel, ts: '1700000001.000001' };
  return { run: RunId.parse(run), turn: 1, opinion: 'good', by: UserId.parse(ANN), card } as const;
}

it('stores the feedback of a person on an answer once, and says that it is stored (P44)', async () => {
  const bot = await answered();
  const opinion = await opinionOn(bot);

  expect(await bot.core.giveFeedback(opinion)).toBe('kept');
  expect(await bot.core.giveFeedback(opinion)).toBe('kept-before');
  expect(await bot.core.giveFeedback({ ...opinion, run: runId(99) })).toBe('unknown');
  expect((await bot.journal()).filter((type) => type === 'feedback-given')).toHaveLength(1);
});

it('says that feedback was not stored while the store cannot be read, and logs the cause', async () => {
  const bot = await answered();
  const opinion = await opinionOn(bot);
  const read = () => Promise.reject(new Error('The store is away.'));
  await bot.starts({ around: (store) => ({ ...store, read }) });

  expect(await bot.core.giveFeedback(opinion)).toBe('failed');
  expect(bot.logged.join()).toContain('A person’s opinion of an answer could not be kept. (Error: The store is away.)');
});
