import { expect, it } from 'vitest';
import { createWorkspaceJournal } from '../../../app/recorder/index.ts';
import { threadKey, UserId } from '../../../app/records/index.ts';
import { newId, workspaceOf } from '../../../app/store/index.ts';
import { NotInstalledError } from '../../../app/surface.ts';
import { ANN, BOT, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, THREAD, tool } from '../../support/in-process/index.ts';

const GONE = new NotInstalledError(TEAM);

/** The app is removed while a call that Ann approved is on its way, or while its question waits. */
async function removed(verdict?: 'approve'): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'a' }));
  await bot.mention(ANN, 'restart a');
  if (verdict !== undefined) {
    bot.diesAt('waiter-woken');
    await bot.press(ANN, bot.card(), verdict);
    await bot.starts();
  }
  for (const what of ['say', 'paint approval', 'tellUnheard'] as const) bot.thread.breaks(what, GONE);
  await bot.core.left(TEAM);
  await bot.passes(60_000);
  expect((await bot.journal()).at(-1)).toBe('sealed');
  for (const what of ['say', 'paint approval', 'tellUnheard'] as const) bot.thread.breaks(what);
  return bot;
}

it.each([
  ['was approved and did not run', 'approve', { status: 'approved', outcome: { type: 'not-applied' } }],
  ['still waited for an answer', undefined, { status: 'cancelled' }],
] as const)(
  'a later installation shows what became of a call of before the removal that %s (B20)',
  async (_what, verdict, shown) => {
    const bot = await removed(verdict);
    const before = await bot.journal();

    await bot.core.returned(TEAM);

    expect(bot.thread.cards()).toMatchObject([shown]);
    expect(bot.ran()).toEqual([]);
    expect(await bot.journal()).toEqual(before);
  },
);

/** The workspace journal says that the app was installed. */
async function installed(bot: Bot, id: string): Promise<void> {
  const journal = createWorkspaceJournal({ store: bot.store, entryId: () => id });
  await journal.append(workspaceOf(TEAM, bot.store.shards), { type: 'installed', team: TEAM, bot: UserId.parse(BOT) });
}

const paintings = (bot: Bot) => bot.thread.calls().filter((call) => call === 'paint approval').length;

it('a later installation paints no card that an earlier one has painted (B20)', async () => {
  const bot = await removed('approve');
  await installed(bot, 'first');
  await bot.core.returned(TEAM);
  const before = paintings(bot);

  await installed(bot, 'second');
  await bot.core.returned(TEAM);

  expect(before).toBeGreaterThan(0);
  expect(paintings(bot)).toBe(before);
});

it('a later installation paints no card of a run whose thread heard its end (B20)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'a' }), 'Done.');
  await bot.mention(ANN, 'restart a');
  await bot.press(ANN, bot.card(), 'approve');
  const before = paintings(bot);

  await bot.core.returned(TEAM);

  expect((await bot.journal()).at(-1)).toBe('sealed');
  expect(paintings(bot)).toBe(before);
});

it('a later installation paints the cards of all other runs when one run cannot be read (B20)', async () => {
  const bot = await removed('approve');
  const damaged = newId('r', 0);
  await bot.store.append({
    journal: damaged,
    expectedVersion: 0,
    entries: [{ id: 'e1', text: 'not a line' }],
    effects: [],
  });
  const journal = createWorkspaceJournal({ store: bot.store, entryId: () => 'sealed' });
  const seal = { type: 'run-sealed', run: damaged, thread: threadKey(THREAD), version: 1, head: '' } as const;
  await journal.append(workspaceOf(TEAM, bot.store.shards), seal);

  await bot.core.returned(TEAM);

  expect(bot.thread.cards()).toMatchObject([{ outcome: { type: 'not-applied' } }]);
});

/** The app is removed while its people are asked what became of a call. */
async function removedInDoubt(): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'a' }));
  await bot.mention(ANN, 'restart a');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.restarts();
  expect(bot.thread.doubts()).toMatchObject([{ standing: { status: 'pending' } }]);
  for (const what of UNTAKEN) bot.thread.breaks(what, GONE);
  await bot.core.left(TEAM);
  await bot.passes(60_000);
  expect((await bot.journal()).at(-1)).toBe('sealed');
  for (const what of UNTAKEN) bot.thread.breaks(what);
  return bot;
}

const UNTAKEN = ['say', 'paint approval', 'paint doubt', 'tellUnheard'] as const;

it('a later installation shows that the question what became of a call is over since the removal (B20)', async () => {
  const bot = await removedInDoubt();
  const before = await bot.journal();

  await bot.core.returned(TEAM);

  expect(bot.thread.doubts()).toMatchObject([{ standing: { status: 'withdrawn' } }]);
  expect(await bot.journal()).toEqual(before);
});

it.each([
  ['an answer', (bot: Bot) => bot.tells(ANN, 'happened')],
  ['the form', (bot: Bot) => considers(bot)],
])(
  'a press for %s paints the question what became of a call, whose run ended with the app (B20)',
  async (_what, press) => {
    const bot = await removedInDoubt();

    expect(await press(bot)).toBe('over');

    expect(bot.thread.doubts()).toMatchObject([{ standing: { status: 'withdrawn' } }]);
  },
);

/** Ann presses a button that opens a form. */
async function considers(bot: Bot): Promise<string> {
  const [doubt] = bot.thread.doubts();
  if (doubt === undefined) throw new Error('Nothing in the thread asks what became of a call.');
  const { type } = await bot.core.questions.doubt.consider(doubt.id, { user: UserId.parse(ANN), team: TEAM });
  await bot.settles();
  return type;
}
