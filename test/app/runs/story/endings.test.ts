import { expect, it } from 'vitest';
import { ModelError } from '../../../../app/agent/model/index.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { type Store, StoreUnavailableError } from '../../../../app/store/index.ts';
import { ClosedChannelError, NotInstalledError, NotYetError, RefusedPostError } from '../../../../app/surface.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';
import { newerWrites } from '../../../support/in-process/newer.ts';

it.each([
  ['declined', { stopReason: 'refusal' }, WORDS.declined],
  ['ended without a word', { stopReason: 'endTurn' }, WORDS.wordless],
] as const)('tells the thread that the model %s', async (_what, says, words) => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'), says);

  await bot.mention(ANN, 'hello');

  expect(bot.thread.posts()).toMatchObject([{ text: words, calls: [{ tool: 'look', outcome: 'ran' }] }]);
});

it.each<[string, (bot: Bot) => Promise<unknown>]>([
  ['has its answer', (bot) => bot.press(ANN, bot.card(), 'approve')],
  ['was denied', (bot) => bot.press(ANN, bot.card(), 'deny')],
  ['was stopped', (bot) => bot.stop(ANN)],
  ['found no person to answer', (bot) => bot.passes(LIMITS.approvalLifetimeMs)],
  [
    'died and went on in another process',
    async (bot) => {
      await bot.restarts();
      await bot.press(ANN, bot.card(), 'approve');
    },
  ],
  [
    'failed at the model',
    async (bot) => {
      bot.model.says(new ModelError('bad-request'));
      await bot.press(ANN, bot.card(), 'approve');
    },
  ],
  [
    'reached a limit',
    async (bot) => {
      bot.model.says(call('restart', { service: 'b' }, 'b'));
      await bot.press(ANN, bot.card(), 'approve');
    },
  ],
])('shows in the thread that the work is over when a run %s (P29)', async (_how, ends) => {
  const limits = { perRun: { cards: 1 } };
  const bot = await inProcess({ tools: [tool('restart')], limits, model: { attempts: 1 } });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  expect(bot.thread.statuses().at(-1)).toBe('suspended');

  await ends(bot);
  await bot.waits(1_000);

  expect((await bot.journal()).at(-1)).toBe('sealed');
  expect(bot.thread.statuses().at(-1)).toBe('active');
});

it('tells the thread why the model failed', async () => {
  const bot = await inProcess({ tools: [], model: { attempts: 1 } });
  const error = new ModelError('bad-request');
  bot.model.says(error);

  await bot.mention(ANN, 'hello');

  expect(bot.posts()).toEqual([WORDS.modelFailed(error.message)]);
  expect(bot.logged.join()).toContain('A run failed.');
});

it('tells the thread that the answer was cut at its limit, which is no fault of the bot', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'), { stopReason: 'maxTokens' });

  await bot.mention(ANN, 'hello');

  expect(bot.posts()).toEqual([WORDS.limitOutput]);
  expect(bot.logged.join()).toContain('Raise the limit');
});

it('tells the thread that something went wrong, without details, when a fault is the bot’s own', async () => {
  const bot = await inProcess({ tools: [], model: { attempts: 1 } });
  bot.model.says(new TypeError('secret is undefined'));

  await bot.mention(ANN, 'hello');

  expect(bot.posts()).toEqual([WORDS.failed]);
});

it('retries the post of an answer that Slack refused at first', async () => {
  const bot = await inProcess({ tools: [] });
  bot.thread.breaks('say', new NotYetError('503'));
  await bot.mention(ANN, 'hello');
  expect(bot.posts()).toEqual([]);
  bot.thread.breaks('say');

  await bot.passes(5_000);

  expect(bot.posts()).toEqual(['Done.']);
  expect(bot.model.requests).toHaveLength(1);
  expect((await bot.journal()).at(-1)).toBe('sealed');
});

it('says once that the store is away, however often it tries, and does not ask the model again when it is back (EDGE-3)', async () => {
  let away = false;
  const gone = () => Promise.reject(new StoreUnavailableError('The store is away.'));
  const around = (store: Store): Store => ({ ...store, append: (wish) => (away ? gone() : store.append(wish)) });
  const bot = await inProcess({ tools: [], around });
  let answer = (_text: string) => {};
  bot.model.says(new Promise<string>((resolve) => (answer = resolve)));
  await bot.mention(ANN, 'hello');
  away = true;
  answer('It is kept.');
  await bot.settles();

  await bot.passes(LIMITS.leaseMs);
  await bot.passes(LIMITS.leaseMs);
  expect(bot.posts()).toEqual([WORDS.storeAway]);
  away = false;
  await bot.passes(LIMITS.leaseMs);

  expect(bot.posts()).toEqual([WORDS.storeAway, 'It is kept.']);
  expect(bot.model.requests).toHaveLength(1);
});

it('writes an answer that the store refused once, and does not ask the model again (EDGE-3)', async () => {
  let failures = 1;
  const around = (store: Store): Store => ({
    ...store,
    append: async (wish) => {
      const isAnswer = wish.entries.some(({ text }) => text.includes('turn-answered'));
      if (isAnswer && failures-- > 0) throw new StoreUnavailableError('The store is away.');
      return store.append(wish);
    },
  });
  const bot = await inProcess({ tools: [], around });
  await bot.mention(ANN, 'hello');
  expect(bot.posts()).toEqual([WORDS.storeAway]);
  expect(bot.thread.statuses()).toEqual(['processing']);

  await bot.passes(LIMITS.rewriteAfterMs);

  expect(bot.posts()).toEqual([WORDS.storeAway, 'Done.']);
  expect(bot.model.requests).toHaveLength(1);
});

it('posts an answer once when Slack’s reply to the post is lost', async () => {
  const bot = await inProcess({ tools: [] });
  bot.thread.breaks('say', new NotYetError('no answer'), 'after');
  await bot.mention(ANN, 'hello');
  bot.thread.breaks('say');

  await bot.passes(5_000);

  expect(bot.posts()).toEqual(['Done.']);
});

it.each([
  ['was closed', new ClosedChannelError('C1', 'is_archived'), WORDS.closedChannel, 'cancelled'],
  ['refuses the post', new RefusedPostError('C1', 'thread_locked'), WORDS.refusedPost, 'cancelled'],
  ['lost the app', new NotInstalledError('T1'), WORDS.uninstalled, 'pending'],
])('ends a run as unheard in a channel that %s', async (_what, error, cause, card) => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.thread.breaks('say', error);
  bot.model.says([{ type: 'text', text: 'On it.' }, call('restart')]);
  await bot.mention(ANN, 'restart payments');

  await bot.restarts();

  const entries = await bot.entries();
  expect(entries.at(-1)?.type).toBe('sealed');
  expect(entries.filter(({ type }) => type === 'run-stopped')).toMatchObject([{ cause }]);
  // Where Slack still takes edits, buttons that decide nothing any more go away.
  expect(bot.cards()).toEqual([`restart ${card}`]);
  expect(bot.ran()).toEqual([]);
  expect(await bot.standing()).toBe('idle');
});

it('ends a run as unheard only after people who were told of its questions elsewhere know', async () => {
  const elsewhere = { isInChannel: async ({ user }: { readonly user: string }) => user !== BEN };
  const bot = await inProcess({ tools: [tool('wipe', { effect: 'guarded', approvers: [BEN] })], people: elsewhere });
  bot.thread.breaks('say', new NotYetError('503'));
  bot.model.says([{ type: 'text', text: 'On it.' }, call('wipe')]);
  await bot.mention(ANN, 'wipe payments');
  await bot.passes(LIMITS.noticeAfterMs);
  expect(bot.thread.calls()).toContain('remind notice');
  bot.thread.breaks('say', new ClosedChannelError('C1', 'is_archived'));
  bot.thread.breaks('paintCopy', new NotYetError('503'));

  await bot.restarts();
  expect(await bot.journal()).not.toContain('sealed');
  bot.thread.breaks('paintCopy');
  await bot.passes(10_000);

  expect((await bot.journal()).at(-1)).toBe('sealed');
});

it('leaves a run alone that a newer version of the bot has written to, and logs so once', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await newerWrites(bot, [{ type: 'todo', thread: threadKey(THREAD), inMs: 0 }]);

  await bot.restarts();
  await bot.passes(LIMITS.leaseMs);

  const words = 'A run is left to a newer version of the bot, and waits while none is running.';
  expect(bot.logged.filter((line) => line.includes(words))).toHaveLength(1);
  expect(bot.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  expect(bot.ran()).toEqual([]);
});

it('ends a run only after its cards show how it ended', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.thread.breaks('paint approval', new NotYetError('503'));
  await bot.press(ANN, bot.card(), 'approve');
  await bot.passes(3_000);
  expect(bot.posts()).toEqual(['Done.']);
  expect(await bot.journal()).not.toContain('sealed');
  expect(bot.cards()).toEqual(['restart pending']);
  bot.thread.breaks('paint approval');

  await bot.passes(10_000);

  expect(bot.cards()).toEqual(['restart approved']);
  expect(await bot.journal()).toContain('sealed');
});

it('ends a run as unheard when its card cannot show the end because the channel was closed', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.thread.breaks('paint approval', new ClosedChannelError('C1', 'is_archived'));

  await bot.press(ANN, bot.card(), 'approve');
  await bot.passes(LIMITS.leaseMs);

  expect(await bot.journal()).toContain('unheard');
  expect(await bot.journal()).toContain('sealed');
});

it('tells the model, and the thread, when a card cannot be posted, and runs nothing', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.thread.breaks('post approval', new Error('invalid_blocks'));
  bot.model.says(call('restart'));

  await bot.mention(ANN, 'restart payments');

  expect(bot.ran()).toEqual([]);
  expect(bot.posts()).toEqual([WORDS.cardNotPosted('restart'), 'Done.']);
  expect(bot.model.told()).toEqual([expect.stringContaining(WORDS.unseen)]);
  expect(bot.logged.join()).toContain('A card could not be posted.');
});

it('shows a card again that a person deleted, and a press on the new one counts', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const card = bot.card();
  if (card.card !== undefined) {
    bot.thread.loses(card.card);
    await bot.core.approvals.cardDeleted(card.id, card.card);
  }
  expect(bot.card().id).toBe(card.id);

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toHaveLength(1);
});

it('puts many questions of one turn on one card, and withdraws all of them when it cannot be posted', async () => {
  const many = ['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service));
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(many);
  await bot.mention(ANN, 'restart all');
  await bot.passes(1_000);
  expect(bot.thread.cards()).toEqual([]);
  expect(bot.thread.lists().map(({ rows }) => rows.length)).toEqual([4]);

  const [list] = bot.thread.lists();
  if (list?.card === undefined) throw new Error('There is no list card.');
  const by = { user: list.requester, team: list.thread.team };
  await bot.core.approvals.decideAll({ list: list.id, verdict: 'approve', by, card: list.card });
  await bot.settles();
  expect(bot.ran()).toHaveLength(4);

  bot.thread.breaks('post list', new Error('invalid_blocks'));
  bot.model.says(many.map((one) => ({ ...one, toolUseId: `${'toolUseId' in one ? one.toolUseId : ''}2` })));
  await bot.mention(ANN, 'once more');
  await bot.passes(1_000);
  expect(bot.ran()).toHaveLength(4);
  expect(bot.posts().at(-1)).toBe('Done.');
  expect(bot.model.told().slice(-4)).toEqual(Array(4).fill(expect.stringContaining(WORDS.unseen)));
});
