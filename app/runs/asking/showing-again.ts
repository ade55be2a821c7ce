import { decideCardLost, isOnItsWay } from '../../journal/index.ts';
import type { Cards } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ApprovalId, CardReceipt } from '../../records/index.ts';
import { known } from '../gate/known.ts';
import { TakenOverError } from '../story/taken-over.ts';
import { type CardDeps, postList, postOwnCard, postQuestionCard } from './posting-cards.ts';

export interface ShowAgainDeps extends CardDeps {
  readonly cards: Pick<Cards, 'settle'>;
}

/** Handles a deleted card: writes those of its questions that wait as unseen. One process then shows them again. */
export async function showAgain(
  deps: ShowAgainDeps,
  journal: RunJournal,
  { approval, card }: { readonly approval: ApprovalId; readonly card: CardReceipt },
): Promise<void> {
  const state = journal.state();
  if (state?.status.type === 'running' && isOnItsWay(state, approval, card)) {
    throw new Error('A card was deleted before its place was written. Slack delivers the deletion again.');
  }
  const committed = await journal.decide((state) => decideCardLost(state, card), []);
  const lost = committed === 'late' ? [] : committed;
  if (lost.length === 0) return;
  await deps.step('card-lost');
  deps.log.warn('A card that waits was deleted, and is shown again.', { approval, channel: card.channel });
  try {
    const lists = new Set(lost.flatMap((id) => journal.state()?.approvals.get(id)?.list ?? []));
    const alone = lost.filter((id) => journal.state()?.approvals.get(id)?.list === undefined);
    for (const list of lists) await postList(deps, journal, list);
    for (const id of alone) await postAlone(deps, journal, id);
    // A question may have been decided meanwhile.
    await deps.cards.settle(journal);
    // Another process may have the run in hand. The append told it as well, so it shows the card.
  } catch (error) {
    if (!(error instanceof TakenOverError)) throw error;
  }
}

async function postAlone(deps: ShowAgainDeps, journal: RunJournal, id: ApprovalId): Promise<unknown> {
  return known(journal).approvals.has(id) ? postOwnCard(deps, journal, id) : postQuestionCard(deps, journal, id);
}
