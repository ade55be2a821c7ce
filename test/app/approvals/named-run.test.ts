import { expect, it } from 'vitest';
import { type RunId, UserId } from '../../../app/records/index.ts';
import type { Store } from '../../../app/store/index.ts';
import { ANN, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, runId } from '../../support/journal.ts';

interface Asking {
  readonly bot: Bot;
  /** What the deciding process has asked of the store since it started, up to its first append. */
  readonly asked: () => readonly string[];
}

/** One process asks about this many calls and waits. Another one, which knows nothing of the run, takes the presses. */
async function asked(calls = 1): Promise<Asking> {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(Array.from({ length: calls }, (_, at) => call('restart', { service: `${at}` }, `c-${at}`)));
  await bot.mention(ANN, 'restart payments');
  await bot.passes(1_000);
  const commands: string[] = [];
  await bot.starts({ around: (store) => listed(store, commands) });
  commands.splice(0);
  return { bot, asked: () => commands.slice(0, commands.indexOf('append') + 1) };
}

function listed(store: Store, commands: string[]): Store {
  return {
    ...store,
    findApproval: (...about) => {
      commands.push('find');
      return store.findApproval(...about);
    },
    read: (...about) => {
      commands.push('read');
      return store.read(...about);
    },
    append: (...about) => {
      commands.push('append');
      return store.append(...about);
    },
  };
}

it('a press whose card names the run reads its journal and appends, and looks for nothing', async () => {
  const { bot, asked: commands } = await asked();
  const card = bot.card();

  expect(await bot.press(ANN, card, 'approve', { run: card.run })).toBe('decided');

  expect(commands()).toEqual(['read', 'append']);
  await bot.passes(1_000);
  expect(bot.ran()).toHaveLength(1);
});

it('a press whose card names no run, as those of older versions do, looks for it first', async () => {
  const { bot, asked: commands } = await asked();

  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('decided');

  expect(commands()).toEqual(['find', 'read', 'append']);
});

it.each<readonly [string, () => RunId]>([
  ['has no entry', () => runId(77)],
  ['is about another approval', () => other],
])('a press whose card names a run that %s decides about the approval in its own run', async (_what, named) => {
  const { bot, asked: commands } = await asked();
  const card = bot.card();
  await anotherRun(bot, card.run);

  expect(await bot.press(ANN, card, 'approve', { run: named() })).toBe('decided');

  expect(commands()).toEqual(['read', 'find', 'read', 'append']);
  await bot.passes(1_000);
  expect(bot.ran()).toHaveLength(1);
});

const other = runId(78);

/** A run of its own with the entries of this one, up to the first question. */
async function anotherRun(bot: Bot, run: RunId): Promise<void> {
  const { entries } = await bot.store.read(run, 0, 2);
  await bot.store.append({ journal: other, expectedVersion: 0, entries, effects: [] });
}

it('no card opens what is in no journal, whatever run it names', async () => {
  const { bot } = await asked();
  const { id: _id, ...card } = bot.card();

  expect(await bot.press(ANN, { ...card, id: approvalId(77) }, 'approve', { run: card.run })).toBe('unknown');
});

it('a press on all rows looks for no run, not even for those of the rows', async () => {
  const { bot } = await asked(4);
  const commands: string[] = [];
  await bot.starts({ around: (store) => listed(store, commands) });
  commands.splice(0);
  const [list] = bot.thread.lists();
  if (list?.card === undefined) throw new Error('There is no list card.');
  const by = { user: UserId.parse(ANN), team: TEAM };

  const { id, run, card } = list;
  const result = await bot.core.approvals.decideAll({ list: id, run, verdict: 'approve', by, card });

  expect(result).toMatchObject({ type: 'decided', results: Array(4).fill({ type: 'decided' }) });
  expect(commands).not.toContain('find');
});
