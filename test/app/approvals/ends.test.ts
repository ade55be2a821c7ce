import { expect, it, vi } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN, OTHER_TEAM, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, HOUR_MS } from '../../support/journal.ts';

const as = (id: string, team = TEAM) => ({ user: UserId.parse(id), team });

/** Ann has asked for a restart, and the question waits for an hour. */
async function asked(wishes: Partial<Parameters<typeof inProcess>[0]> = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')], times: { approvalLifetimeMs: HOUR_MS }, ...wishes });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

it('expires a question at its time and not before, and lets the run go on (P61b)', async () => {
  const bot = await asked();
  const { id } = bot.card();

  await bot.passes(HOUR_MS - 1);
  await bot.core.approvals.expire(id);
  expect(bot.cards()).toEqual(['restart pending']);

  await bot.passes(2);
  expect(bot.cards()).toEqual(['restart expired']);
  expect(bot.ran()).toEqual([]);
  expect(bot.posts()).toEqual(['Done.']);
});

it('refuses an approval after the end of the question, even before any process has recorded that end (P61b)', async () => {
  const bot = await asked();
  const card = bot.card();
  // The press is on its way while the hour ends.
  bot.at('press-received', () => void vi.advanceTimersByTime(HOUR_MS + 1));

  expect(await bot.press(ANN, card, 'approve')).toBe('over');
  expect(bot.ran()).toEqual([]);
  expect((await bot.journal()).filter((type) => type === 'call-expired')).toHaveLength(1);
});

it('cancels a question at work, wakes the run, and paints the card', async () => {
  const bot = await asked();
  const { id } = bot.card();

  await bot.core.approvals.cancel(id, 'The question cannot be shown.');
  await bot.settles();

  expect(bot.cards()).toEqual(['restart cancelled']);
  expect(bot.ran()).toEqual([]);
  expect(bot.posts()).toEqual(['Done.']);
});

it('ends a question once: a decided question neither expires nor is cancelled', async () => {
  const bot = await asked();
  const { id } = bot.card();
  await bot.press(ANN, bot.card(), 'approve');

  await bot.core.approvals.cancel(id, 'Too late.');
  await bot.core.approvals.expire(id);
  await bot.core.approvals.cancel(approvalId(99), 'There is no such question.');
  await bot.core.approvals.expire(approvalId(99));

  expect(bot.cards()).toEqual(['restart approved']);
});

it('asks for an expired call again as a message of its requester, once, and for no other person', async () => {
  const bot = await asked();
  const { id } = bot.card();
  expect(await bot.core.approvals.askAgain(id, as(ANN))).toMatchObject({ type: 'not-expired' });
  await bot.passes(HOUR_MS + 1);
  const asks = () => bot.model.requests.length;
  const before = asks();

  expect(await bot.core.approvals.askAgain(id, as(BEN))).toMatchObject({ type: 'not-yours' });
  expect(await bot.core.approvals.askAgain(id, as(ANN, OTHER_TEAM))).toMatchObject({ type: 'not-yours' });
  expect(await bot.core.approvals.askAgain(approvalId(99), as(ANN))).toEqual({ type: 'unknown' });
  await bot.settles();
  expect(asks()).toBe(before);

  expect(await bot.core.approvals.askAgain(id, as(ANN))).toMatchObject({ type: 'asked' });
  await bot.settles();
  expect(asks()).toBe(before + 1);
  expect(await bot.core.approvals.askAgain(id, as(ANN))).toMatchObject({ type: 'asked-before' });
  await bot.settles();
  expect(asks()).toBe(before + 1);
  expect(bot.thread.cards()[0]).toHaveProperty('askedAgain');
});

it.each([
  ['with the input that the card showed', 'payments', true],
  ['without an input that would fill the message', 'x'.repeat(1_000), false],
])('asks the agent for an expired call again %s', async (_how, service, isNamed) => {
  const bot = await asked();
  bot.model.says(call('restart', { service }, 'two'));
  await bot.stop(ANN);
  await bot.mention(ANN, 'restart it');
  const { id, input } = bot.card();
  await bot.passes(HOUR_MS + 1);

  await bot.core.approvals.askAgain(id, as(ANN));
  await bot.settles();

  const heard = bot.model.requests.at(-1)?.messages.at(-1);
  expect(JSON.stringify(heard)).toContain('Please ask again.');
  expect(JSON.stringify(heard).includes(JSON.stringify(input).slice(1, -1))).toBe(isNamed);
});

type Ends = (bot: Bot, id: ReturnType<typeof approvalId>) => Promise<unknown>;

it.each<[string, Ends, string]>([
  ['expires', (bot, id) => bot.core.onDue({ what: 'expiry', subject: id }), 'expired'],
  ['is cancelled', (bot, id) => bot.core.approvals.cancel(id, 'It cannot be shown.'), 'cancelled'],
  ['is denied', (bot) => bot.press(ANN, bot.card(), 'deny'), 'denied'],
])('goes on at once with a run that only waits in its journal when its question %s', async (_how, ends, status) => {
  const bot = await asked({ times: { approvalLifetimeMs: HOUR_MS, hotMs: 1 } });
  const { id } = bot.card();
  await bot.passes(1_000);
  expect(bot.holds()).toBe(false);
  if (status === 'expired') vi.advanceTimersByTime(HOUR_MS);

  await ends(bot, id);
  await bot.settles();

  expect(bot.cards()).toEqual([`restart ${status}`]);
  expect(bot.posts()).toEqual(['Done.']);
});
