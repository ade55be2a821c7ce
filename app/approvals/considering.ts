import type { Cards } from '../questions/index.ts';
import type { ApprovalId, Person, StoredTrustTerms } from '../records/index.ts';
import { type ConsiderResult, type OfferResult, settledAnswer } from './answers.ts';
import { type DecidingDeps, openPressed } from './deciding.ts';

export interface ConsideringDeps extends Pick<DecidingDeps, 'open' | 'mayDecide' | 'offer'> {
  readonly cards: Pick<Cards, 'repaint'>;
}

/** Whether this person could decide now. Nothing is recorded, and the press is judged again. */
export async function consider(deps: ConsideringDeps, id: ApprovalId, by: Person): Promise<ConsiderResult> {
  const opened = await openPressed(deps, id);
  if (opened === undefined) return { type: 'unknown' };
  const { journal, before: approval, asked, input } = opened;
  if (approval.status !== 'pending') {
    void deps.cards.repaint(journal, id);
    return settledAnswer(approval);
  }
  const right = await deps.mayDecide(asked, approval, { by, input });
  if (right.type === 'refused') return { ...right, type: 'not-yours', approval };
  return { type: 'open', approval };
}

/** The offer that this trust would be stored under, if this person may give it. Nothing is recorded. */
export async function offerTrust(
  deps: ConsideringDeps,
  id: ApprovalId,
  { by, terms }: { readonly by: Person; readonly terms: StoredTrustTerms },
): Promise<OfferResult> {
  const considered = await consider(deps, id, by);
  if (considered.type !== 'open') return considered;
  const { approval } = considered;
  const { input = '' } = (await openPressed(deps, id)) ?? {};
  const offer = await deps.offer(approval, { by, terms, input });
  return 'why' in offer ? { type: 'unfit', problem: offer.why } : { type: 'offered', approval, offer };
}
