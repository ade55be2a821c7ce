import type { Approvals } from '../../app/approvals/index.ts';
import type { Log } from '../../app/log.ts';
import type { CardReceipt } from '../../app/records/index.ts';
import { withLimit } from '../../app/time/index.ts';

export interface ShownDeps {
  readonly approvals: Pick<Approvals, 'isShown'>;
  readonly log: Log;
}

/**
 * The card alone answers a press that counted. Where Slack lets the bot change the card no more, the presser is told. Slack may
 * take no painting for a minute, so the caller does not wait, and one who presses `again` is told after seconds.
 */
export function unlessShown(
  { approvals, log }: ShownDeps,
  card: CardReceipt,
  tell: () => Promise<void>,
  again = false,
): void {
  const shown = approvals.isShown(card);
  const soon = again ? withLimit(shown, { ms: SOON_MS, late: false }) : shown;
  const told = soon.then((isShown) => (isShown ? undefined : tell()));
  // Slack may refuse this as well. What was decided stands.
  told.catch((error: unknown) => log.warn('What came of a press was not told', { ...card, error }));
}

const SOON_MS = 3_000;
