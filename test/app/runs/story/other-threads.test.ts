import { expect, it } from 'vitest';
import { type Thread, UserId } from '../../../../app/records/index.ts';
import { ANN, TEAM } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';

const OTHER: Thread = { ...THREAD, ts: '1700000000.000500' };

async function writesInOther(bot: Bot, text: string, ts: string): Promise<void> {
  await bot.core.runs.take({ thread: OTHER, user: UserId.parse(ANN), userTeam: TEAM, ts, text });
  await bot.settles();
}

it('a thread goes on with its next message while a tool of another thread runs', async () => {
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run: () => new Promise(() => {}) })] });
  bot.model.says(call('look'), 'Hello.', 'It is noon.');
  await bot.mention(ANN, 'look around');
  expect(bot.ran()).toHaveLength(1);

  await writesInOther(bot, 'hello', OTHER.ts);
  await writesInOther(bot, 'what time is it?', '1700000000.000600');

  expect(bot.posts()).toEqual(['Hello.', 'It is noon.']);
});
