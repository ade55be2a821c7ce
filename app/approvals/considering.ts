import { notRecorded } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { Cards } from '../questions/index.ts';
import type { ApprovalId, TrustTerms } from '../records/index.ts';
import { type ConsiderResult, type OfferResult, type Presser, settledAnswer } from './answers.ts';
import { type DecidingDeps, realInput } from './deciding.ts';

export interface ConsideringDeps extends Pick<DecidingDeps, 'open' | 'mayDecide' | 'offer'> {
  readonly cards: Pick<Cards, 'repaint'>;
  readonly log: Log;
}

/** A trust that a person would like to give. */
interface WishedTrust {
  readonly by: Presser;
  readonly terms: TrustTerms;
}

/** Could this person decide it now? Nothing is recorded, and the press is judged again. */
export function considerOrFail(deps: ConsideringDeps, id: ApprovalId, by: Presser): Promise<ConsiderResult> {
  return consider(deps, id, by).catch((error: unknown): ConsiderResult => {
    deps.log.error('Nobody could say who may decide.', { approval: id, error });
    return notRecorded(error);
  });
}

async function consider(deps: ConsideringDeps, id: ApprovalId, by: Presser): Promise<ConsiderResult> {
  const journal = await deps.open(id);
  const approval = await journal?.approval(id);
  const asked = journal?.state()?.approvals.get(id);
  if (journal === undefined || approval === undefined || asked === undefined) return { type: 'unknown' };
  if (approval.status !== 'pending') {
    void deps.cards.repaint(journal, id);
    return settledAnswer(approval);
  }
  const right = await deps.mayDecide(asked, approval, { by, input: await realInput(journal, id) });
  if (right.type === 'refused') return { type: 'not-yours', why: right.why, rule: approval.rule };
  return { type: 'open', approval };
}

/** What this trust would be stored as, if this person may give it. Nothing is recorded. */
export function offerTrustOrFail(deps: ConsideringDeps, id: ApprovalId, wish: WishedTrust): Promise<OfferResult> {
  return offerTrust(deps, id, wish).catch((error: unknown): OfferResult => {
    deps.log.error('Nobody could say who may give trust.', { approval: id, error });
    return notRecorded(error);
  });
}

async function offerTrust(deps: ConsideringDeps, id: ApprovalId, { by, terms }: WishedTrust): Promise<OfferResult> {
  const considered = await consider(deps, id, by);
  if (considered.type !== 'open') return considered;
  const { approval } = considered;
  const offer = await deps.offer(approval, { by, terms, input: await realInput(await deps.open(id), id) });
  return 'why' in offer ? { type: 'unfit', problem: offer.why } : { type: 'offered', approval, offer };
}
