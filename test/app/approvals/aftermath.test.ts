import { expect, it } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN, TEAM, ZOE } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, grantId, HOUR_MS, runId } from '../../support/journal.ts';

it('shows on the card of a decision that the trust it gave has ended, and logs nothing about a card of no run', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const { id } = bot.card();
  await bot.press(ANN, bot.card(), 'trust');
  const before = bot.logged.length;

  const [trust = grantId()] = await bot.store.journals('grant');
  const by = UserId.parse(BEN);

  await bot.core.approvals.trustEnded({ trust, by, approval: id, runs: [] });
  await bot.core.approvals.trustEnded({ trust, by, approval: approvalId(99), runs: [runId(99)] });

  expect(bot.thread.cards()).toMatchObject([{ tool: 'restart', trustEnded: { by: BEN } }]);
  expect(bot.logged).toHaveLength(before);
});

it('people are reminded of a question once and called to it once before it expires, and then one press asks again (P61)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], policy: { restart: { escalateTo: [BEN] } } });
  bot.model.says(call('restart'), 'No person answered.', call('restart'));
  await bot.mention(ANN, 'restart payments');
  const [card] = bot.thread.cards();
  if (card === undefined) throw new Error('There is no card.');
  const again = (user: string) => bot.core.approvals.askAgain(card.id, { user: UserId.parse(user), team: TEAM });

  for (let hour = 0; hour < 25; hour += 1) {
    await bot.passes(HOUR_MS);
    if (hour === 20) await bot.restarts();
  }
  expect(bot.thread.calls().filter((one) => one.startsWith('remind'))).toEqual([
    'remind reminder',
    'remind escalation',
  ]);
  expect(bot.cards()).toEqual(['restart expired']);

  expect(await again(ZOE)).toMatchObject({ type: 'not-yours' });
  expect(await again(ANN)).toMatchObject({ type: 'asked' });
  await bot.settles();
  expect(await again(ANN)).toMatchObject({ type: 'asked-before' });
  await bot.settles();
  expect(bot.cards()).toEqual(['restart expired', 'restart pending']);
  expect(bot.ran()).toEqual([]);
});
