import type { Cards } from '../questions/index.ts';
import type { ApprovalId, Person, StoredTrustTerms } from '../records/index.ts';
import { type ConsiderResult, type OfferResult, settledAnswer } from './answers.ts';
import { type DecidingDeps, type OpenedPress, openPressed } from './deciding.ts';

export interface ConsideringDeps extends Pick<DecidingDeps, 'open' | 'mayDecide' | 'offer'> {
  readonly cards: Pick<Cards, 'repaint'>;
}

/** Whether this person could decide now. Nothing is recorded, and the press is judged again. */
export async function consider(deps: ConsideringDeps, id: ApprovalId, by: Person): Promise<ConsiderResult> {
  const opened = await openPressed(deps, id);
  if (opened === undefined) return { type: 'unknown' };
  return (await whyNot(deps, opened, by)) ?? { type: 'open', approval: opened.before };
}

/** The offer that this trust would be stored under, if this person may give it. Nothing is recorded. */
export async function offerTrust(
  deps: ConsideringDeps,
  id: ApprovalId,
  { by, terms }: { readonly by: Person; readonly terms: StoredTrustTerms },
): Promise<OfferResult> {
  const opened = await openPressed(deps, id);
  if (opened === undefined) return { type: 'unknown' };
  const refused = await whyNot(deps, opened, by);
  if (refused !== undefined) return refused;
  const { before: approval, input } = opened;
  const offer = await deps.offer(approval, { by, terms, input });
  return 'why' in offer ? { type: 'unfit', problem: offer.why } : { type: 'offered', approval, offer };
}

/** Why this person cannot decide now. */
async function whyNot(
  { cards, mayDecide }: ConsideringDeps,
  { journal, before: approval, asked, input }: OpenedPress,
  by: Person,
): Promise<Exclude<ConsiderResult, { readonly type: 'open' }> | undefined> {
  if (approval.status !== 'pending') {
    void cards.repaint(journal, approval.id);
    return settledAnswer(approval);
  }
  const right = await mayDecide(asked, approval, { by, input });
  return right.type === 'refused' ? { ...right, type: 'not-yours', approval } : undefined;
}
