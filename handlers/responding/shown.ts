import type { Approvals } from '../../app/approvals/index.ts';
import type { Log } from '../../app/log.ts';
import type { CardReceipt } from '../../app/records/index.ts';

export interface ShownDeps {
  readonly approvals: Pick<Approvals, 'isShown'>;
  readonly log: Log;
}

/**
 * The card alone answers a press that counted. Where Slack lets the bot change the card no more, the presser is told. Slack may
 * take no painting for a minute, so the caller does not wait.
 */
export function unlessShown({ approvals, log }: ShownDeps, card: CardReceipt, tell: () => Promise<void>): void {
  const told = approvals.isShown(card).then((isShown) => (isShown ? undefined : tell()));
  // Slack may refuse this as well. What was decided stands.
  told.catch((error: unknown) => log.warn('What came of a press was not told', { ...card, error }));
}
