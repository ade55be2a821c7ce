import type { Effect } from '../../../app/store/index.ts';
import type { Bot } from './index.ts';

/** A newer version of the bot writes to the run of the open card, with what must happen besides. */
export async function newerWrites(bot: Bot, effects: readonly Effect[] = []): Promise<void> {
  const { run } = bot.card();
  const { version } = await bot.store.read(run);
  const text = JSON.stringify({ id: 'newer-1', atMs: 1, v: 1, prev: '', body: { type: 'of-a-later-version' } });
  await bot.store.append({ journal: run, expectedVersion: version, entries: [{ id: 'newer-1', text }], effects });
}
