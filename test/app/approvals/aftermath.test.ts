import { expect, it } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, grantId, runId } from '../../support/journal.ts';

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
