import type { Stage } from './bot.ts';
import { linesOf } from './history.ts';
import { keepJournals } from './recorded.ts';

/** At a release: what its bots write is kept where `RECORD_JOURNALS` says, and the best of it becomes a fixture. */
export async function recordIfWished(stage: Stage): Promise<void> {
  const folder = process.env.RECORD_JOURNALS;
  if (folder !== undefined) keepJournals(folder, await linesOf(stage));
}
