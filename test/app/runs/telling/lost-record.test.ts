import { expect, it } from 'vitest';
import { UserId } from '../../../../app/records/index.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import type { OwnPost } from '../../../../app/surface.ts';
import { ANN, TEAM } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';
import { HOUR_MS, runId } from '../../../support/journal.ts';

const never = (): Promise<never> => new Promise(() => {});
const FORGOTTEN: OwnPost = { run: runId(7), key: 'turn/1', atMs: 1 };

/** A bot that finds these posts of its own in the thread. */
async function finding(own: () => readonly OwnPost[], more: Partial<Parameters<typeof inProcess>[0]> = {}) {
  let searches = 0;
  const bot = await inProcess({ tools: [tool('find', OPEN)], ...more });
  const ownPosts = async () => {
    searches += 1;
    return own();
  };
  const changes = { surface: { ...bot.thread.surface, ownPosts } };
  bot.dies();
  await bot.starts({ changes });
  const writes = async (ts: string, thread = THREAD) => {
    await bot.core.runs.take({ thread, user: UserId.parse(ANN), userTeam: TEAM, ts, text: 'hello' });
    await bot.settles();
  };
  /** A later process goes on, which is younger than the run. */
  const restarts = async () => {
    await bot.passes(1_000);
    await bot.restarts({ changes });
  };
  return { bot, writes, searches: () => searches, restarts };
}
const BELOW = '1700000000.000009';

it('tells a thread whose earlier run is not on record that the bot has forgotten it, once', async () => {
  const { bot, writes } = await finding(() => [FORGOTTEN]);

  await writes(BELOW);
  await writes('1700000000.000010');

  expect(bot.posts()).toEqual([WORDS.forgotten, 'Done.', 'Done.']);
});

it('says nothing of forgotten runs in a thread that begins with the message, or in which it has posted nothing', async () => {
  const root = await finding(() => [FORGOTTEN]);
  await root.writes(THREAD.ts);
  expect([root.bot.posts(), root.searches()]).toEqual([['Done.'], 0]);

  const silent = await finding(() => []);
  await silent.writes(BELOW);
  expect([silent.bot.posts(), silent.searches()]).toEqual([['Done.'], 1]);
});

it('says nothing of an earlier run that is on record, or that was removed after its time', async () => {
  let own: readonly OwnPost[] = [];
  const known = await finding(() => own);
  await known.writes('1600000000.000001', { ...THREAD, ts: '1600000000.000001' });
  const [run = runId()] = await known.bot.store.journals('run');
  own = [{ run, key: 'turn/1', atMs: Date.now() }];
  await known.writes(BELOW);
  expect(known.bot.posts()).toEqual(['Done.', 'Done.']);

  const retired = await finding(() => [{ ...FORGOTTEN, atMs: Date.now() - 30 * 24 * HOUR_MS }], {
    retention: { afterMs: 30 * 24 * HOUR_MS, folder: '/not/used' },
  });
  await retired.writes(BELOW);
  expect(retired.bot.posts()).toEqual(['Done.']);
});

it('answers in a thread that could not be searched, and logs why', async () => {
  const { bot, writes } = await finding(() => {
    throw new Error('Slack is away.');
  });

  await writes(BELOW);

  expect(bot.posts()).toEqual(['Done.']);
  expect(bot.logged.join()).toContain('A thread could not be searched for what is lost. (Error: Slack is away.)');
});

it('tells a thread in which an answer stands that its run does not know, before the model answers again', async () => {
  let own: readonly OwnPost[] = [];
  const { bot, writes, restarts } = await finding(() => own);
  bot.model.says(never(), 'I answer.');
  await writes(THREAD.ts);
  const [run = runId()] = await bot.store.journals('run');
  own = [{ run, key: 'turn/1', atMs: Date.now() }];

  await restarts();

  expect(bot.posts()).toEqual([WORDS.setBack, 'I answer.']);
});

it.each<[string, (run: OwnPost['run']) => OwnPost]>([
  ['that its journal knows', (run) => ({ run, key: 'turn/1', atMs: 1 })],
  ['of another run', () => ({ ...FORGOTTEN, key: 'turn/2' })],
  ['that is no answer of the model', (run) => ({ run, key: 'stopped', atMs: 1 })],
])('does not say that an answer is lost where the thread has a post %s', async (_what, post) => {
  let own: readonly OwnPost[] = [];
  const { bot, writes, searches, restarts } = await finding(() => own);
  bot.model.says([{ type: 'text', text: 'I look.' }, call('find')], never(), 'I answer.');
  await writes(THREAD.ts);
  const [run = runId()] = await bot.store.journals('run');
  own = [post(run)];

  await restarts();

  expect([bot.posts(), searches()]).toEqual([['I look.', 'I answer.'], 1]);
});

it('searches no thread for lost answers while a call of its run has no result', async () => {
  const { bot, writes, searches, restarts } = await finding(() => [], { tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await writes(THREAD.ts);

  await restarts();

  expect([bot.cards(), searches()]).toEqual([['restart pending'], 0]);
});
