import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import type { InboxMessage } from '../../../../app/records/index.ts';
import type { OwnPost } from '../../../../app/surface.ts';
import { ANN, OPS, TEAM } from '../../../../sandbox/people.ts';
import { inProcess } from '../../../support/in-process/index.ts';
import { HOUR_MS, runId } from '../../../support/journal.ts';

const FORGOTTEN: OwnPost = { run: runId(7), key: 'turn/1', atMs: 1 };
type Said = Pick<InboxMessage, 'thread' | 'ts'>;

/** A message below the n-th root that stood there before the store, or below one of these seconds. */
const below = (n: number, seconds = 1_600_000_000): Said => {
  const root = `${seconds}.${`${n}`.padStart(6, '0')}`;
  return { thread: { team: TEAM, channel: OPS, ts: root }, ts: `${seconds + 1}.000000` };
};

/** A bot with an empty store, and threads in which it finds these posts of its own. */
async function emptied(own: () => Promise<readonly OwnPost[]>) {
  const searched: string[] = [];
  const bot = await inProcess({ tools: [] });
  const ownPosts = ({ ts }: Said['thread']) => {
    searched.push(ts);
    return own();
  };
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, ownPosts } } });
  const isLost = (said: Said) => bot.core.runs.isLostThread(said);
  return { bot, searched, isLost };
}

it('takes a thread for its own in which it finds a post of a run that is not on record', async () => {
  const { isLost } = await emptied(async () => [FORGOTTEN]);

  expect(await isLost(below(1))).toBe(true);
});

it('takes no thread for its own that could not be searched, and searches it again with the next message', async () => {
  let away = true;
  const { bot, isLost } = await emptied(async () => {
    if (away) throw new Error('Slack is away.');
    return [FORGOTTEN];
  });

  expect(await isLost(below(1))).toBe(false);
  expect(bot.logged.join()).toContain('A thread could not be searched for what is lost. (Error: Slack is away.)');
  away = false;
  expect(await isLost(below(1))).toBe(true);
});

it('searches a thread of other people once, however many messages come there', async () => {
  const { searched, isLost } = await emptied(async () => []);

  expect([await isLost(below(1)), await isLost(below(1))]).toEqual([false, false]);

  expect(searched).toHaveLength(1);
});

it('searches a thread once for two deliveries that come at the same moment', async () => {
  const { searched, isLost } = await emptied(async () => [FORGOTTEN]);

  expect(await Promise.all([isLost(below(1)), isLost(below(1))])).toEqual([true, true]);

  expect(searched).toHaveLength(1);
});

it('searches no thread for its root message, and none that is younger than the store', async () => {
  const { bot, searched, isLost } = await emptied(async () => [FORGOTTEN]);
  await bot.passes(HOUR_MS);
  await bot.mention(ANN, 'hello');
  const { thread } = below(1);
  await bot.passes(2 * HOUR_MS);
  const young = Math.round(Date.now() / 1_000) - 3_600;

  expect(await isLost({ thread, ts: thread.ts })).toBe(false);
  expect(await isLost(below(1, young))).toBe(false);

  expect(searched).toEqual([]);
});

it('searches a few threads in a minute, and more in the next', async () => {
  const { bot, searched, isLost } = await emptied(async () => [FORGOTTEN]);
  const most = LIMITS.lostSearchesAMinute;
  for (let n = 0; n < most; n += 1) expect(await isLost(below(n))).toBe(true);

  expect(await isLost(below(most))).toBe(false);
  expect(searched).toHaveLength(most);
  await bot.passes(60_000);

  expect(await isLost(below(most))).toBe(true);
});

it('keeps in mind so many threads of other people, and searches the oldest of more than those again', async () => {
  const { searched, isLost } = await emptied(async () => []);
  const most = LIMITS.threadsOfOthers;
  const comes = async (n: number) => {
    vi.advanceTimersByTime(60_000);
    await isLost(below(n));
    return searched.length;
  };
  for (let n = 1; n <= most; n += 1) await comes(n);
  expect(await comes(1)).toBe(most);

  expect(await comes(most + 1)).toBe(most + 1);

  expect(await comes(2)).toBe(most + 1);
  expect(await comes(1)).toBe(most + 2);
});
