import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { ClosedChannelError, type Surface } from '../../../app/surface.ts';
import { ANN, BEN, ZOE } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { HOUR_MS } from '../../support/journal.ts';

/** Ann has asked for a restart, about which Ben and Zoe decide. */
async function asked(wishes: Partial<Parameters<typeof inProcess>[0]> = {}): Promise<Bot> {
  const restart = {
    remindAfterMs: HOUR_MS,
    escalateAfterMs: 2 * HOUR_MS,
    escalateTo: [ZOE],
    expireAfterMs: 4 * HOUR_MS,
  };
  const tools = [tool('restart', { approvers: [BEN, ZOE] })];
  const bot = await inProcess({ tools, policy: { restart }, ...wishes });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  return bot;
}
const times = (bot: Bot, what: string) => bot.thread.calls().filter((one) => one.startsWith(what)).length;
const OUT_OF_SIGHT = { people: { isInChannel: async ({ user }: { readonly user: string }) => user !== BEN } };

it('reminds people of a question at its time, once, and not before', async () => {
  const bot = await asked();

  await bot.passes(HOUR_MS - 1);
  expect(times(bot, 'remind')).toBe(0);
  await bot.passes(1);
  expect(times(bot, 'remind')).toBe(1);
  await bot.passes(LIMITS.leaseMs);
  expect(times(bot, 'remind')).toBe(1);
  await bot.passes(HOUR_MS);
  expect(times(bot, 'remind')).toBe(2);
});

it('reminds no person of a settled question', async () => {
  const bot = await asked();
  await bot.press(BEN, bot.card(), 'deny');

  await bot.passes(2 * HOUR_MS);

  expect(times(bot, 'remind')).toBe(0);
});

it('tells an approver directly who is outside the channel, and no other', async () => {
  const bot = await asked(OUT_OF_SIGHT);

  await bot.passes(LIMITS.noticeAfterMs);

  expect(times(bot, 'remind notice')).toBe(1);
  const told = (await bot.entries()).find(({ type }) => type === 'call-reminded');
  expect(told).toMatchObject({ what: 'notice', copies: [{ to: BEN }] });
});

it('tells no approver directly when every approver is in the channel', async () => {
  const bot = await asked();

  await bot.passes(LIMITS.noticeAfterMs);

  expect(times(bot, 'remind notice')).toBe(0);
});

it('sends an early notice again that Slack refused, and paints it when the question is answered', async () => {
  const bot = await asked(OUT_OF_SIGHT);
  bot.thread.breaks('remind notice', new Error('Slack is away.'));
  await bot.passes(LIMITS.noticeAfterMs);
  expect(bot.logged.join()).toContain('People could not be reminded yet.');

  bot.thread.breaks('remind notice');
  await bot.passes(LIMITS.leaseMs);
  expect(times(bot, 'remind notice')).toBe(2);

  await bot.press(ZOE, bot.card(), 'approve');
  expect(times(bot, 'paintCopy')).toBeGreaterThan(0);
});

it('stops the reminders of a question after Slack has refused one for good', async () => {
  const bot = await asked();
  bot.thread.breaks('remind reminder', new ClosedChannelError('C1', 'channel_not_found'));

  await bot.passes(HOUR_MS);
  await bot.passes(LIMITS.retryApartMs);

  expect(times(bot, 'remind')).toBe(1);
  expect(bot.logged.join()).toContain('People cannot be reminded of a question. (ClosedChannelError');
});

it('tells no approver directly who may no longer decide', async () => {
  let account: 'person' | 'guest' = 'person';
  const bot = await asked({
    people: { isInChannel: async () => false, account: async ({ user }) => (user === BEN ? account : 'person') },
  });
  account = 'guest';

  await bot.passes(LIMITS.noticeAfterMs);

  const told = (await bot.entries()).find(({ type }) => type === 'call-reminded');
  expect(told).toMatchObject({ what: 'notice', copies: [{ to: ZOE }] });
});

it.each([
  ['shows the present state', false, 0],
  ['may show an older state, because an earlier try has sent it', true, 1],
])('paints a notice only if it may be old: one that %s', async (_what, found, paintings) => {
  const tools = [tool('restart', { approvers: [BEN, ZOE], quorum: 2 })];
  const bot = await asked({ ...OUT_OF_SIGHT, tools });
  await bot.press(ZOE, bot.card(), 'approve');
  const remind: Surface['remind'] = async (...about) => ({ ...(await bot.thread.surface.remind(...about)), found });
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, remind } } });

  await bot.passes(LIMITS.noticeAfterMs);

  expect(times(bot, 'remind notice')).toBe(1);
  expect(times(bot, 'paintCopy')).toBe(paintings);
});
