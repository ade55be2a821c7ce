import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { UserId } from '../../../../app/records/index.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { ClosedChannelError, NotYetError, RefusedPostError, RefusingWorkspaceError } from '../../../../app/surface.ts';
import { ANN, BEN, TEAM } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../../support/in-process/index.ts';

const LOCKED = new RefusedPostError('C1', 'restricted_action_thread_locked');

/** Ann asks, and Slack takes no answer. */
async function unheard(error: Error = LOCKED, before: (bot: Bot) => void = () => {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.thread.breaks('say', error);
  before(bot);
  await bot.mention(ANN, 'hello');
  return bot;
}

const times = (bot: Bot) => bot.thread.calls().filter((call) => call === 'tellUnheard').length;
const listed = async (bot: Bot, user: string) => {
  const { unheard: runs } = await bot.core.approvals.waitingFor({ user: UserId.parse(user), team: TEAM });
  return runs?.map(({ cause }) => cause);
};

it.each([
  ['refuses the post', LOCKED, WORDS.refusedPost],
  ['closed the channel', new ClosedChannelError('C1', 'restricted_action_read_only_channel'), WORDS.closedChannel],
  ['keeps the bot out of the workspace', new RefusingWorkspaceError('ekm_access_denied'), WORDS.refusingWorkspace],
])(
  'tells the requester directly, once, why a run ended where Slack %s, and lists it for this person alone (SURF-3)',
  async (_what, error, cause) => {
    const bot = await unheard(error);
    await bot.restarts();
    await bot.passes(LIMITS.retryForMs);

    expect((await bot.journal()).at(-1)).toBe('sealed');
    expect(bot.thread.unheard()).toMatchObject([{ requester: ANN, cause }]);
    expect(times(bot)).toBe(1);
    expect(await listed(bot, ANN)).toEqual([cause]);
    expect(await listed(bot, BEN)).toEqual([]);
  },
);

it('does not tell the requester that nothing ran where a call was approved and the channel was closed after its question (SURF-3)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const closed = new ClosedChannelError('C1', 'is_archived');
  for (const act of ['say', 'paint approval'] as const) bot.thread.breaks(act, closed);
  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.thread.unheard().map(({ cause }) => cause)).toEqual([
    'Slack takes no messages from me in the channel, so I stopped. What still waited for an answer did not run. ' +
      'What was approved before that may have run.',
  ]);
});

it('tells the requester of an unheard run once where the process dies behind the message (SURF-3)', async () => {
  const bot = await unheard(LOCKED, (one) => one.diesAt('run-sealed'));
  await bot.restarts();

  expect(bot.thread.unheard()).toHaveLength(1);
  expect((await bot.journal()).at(-1)).toBe('sealed');
});

it('tries again to tell the requester of an unheard run while Slack is away, and seals the run behind it (SURF-3)', async () => {
  const bot = await unheard(LOCKED, ({ thread }) => thread.breaks('tellUnheard', new NotYetError('503')));
  expect(await bot.journal()).not.toContain('sealed');

  bot.thread.breaks('tellUnheard');
  await bot.passes(LIMITS.retryAfterMs);
  expect(bot.thread.unheard()).toHaveLength(1);
  expect((await bot.journal()).at(-1)).toBe('sealed');
});

it('seals an unheard run whose requester can never be told directly, and lists it all the same (SURF-3)', async () => {
  const bot = await unheard(LOCKED, ({ thread }) =>
    thread.breaks('tellUnheard', new RefusingWorkspaceError('account_inactive')),
  );
  expect((await bot.journal()).at(-1)).toBe('sealed');
  expect(times(bot)).toBe(1);
  expect(await listed(bot, ANN)).toEqual([WORDS.refusedPost]);
});

it('gives up telling the requester of an unheard run after a day, and seals it (SURF-3)', async () => {
  const bot = await unheard(LOCKED, ({ thread }) => thread.breaks('tellUnheard', new NotYetError('503')));
  for (let hours = 0; hours < 25; hours += 1) await bot.passes(3_600_000);

  expect((await bot.journal()).at(-1)).toBe('sealed');
  const before = times(bot);
  await bot.passes(3_600_000);
  expect(times(bot)).toBe(before);
});
