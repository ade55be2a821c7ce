import type { RunJournal } from '../recorder/index.ts';
import { withLimit } from '../time/index.ts';
import type { Cards } from './cards.ts';

/** Whoever pressed looks at the screen, and Slack may want no more paintings for half a minute. */
const SOON_MS = 1_000;

/** Paints what this run owes. Nobody waits longer for that than this: the painting goes on by itself, and stays owed. */
export async function settleSoon(cards: Pick<Cards, 'settle'>, journal: RunJournal, soonMs = SOON_MS): Promise<void> {
  await withLimit(cards.settle(journal), { ms: soonMs, late: undefined });
}
