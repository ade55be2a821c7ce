import { unheardRun } from '../journal/index.ts';
import { type LostCard, orFailed } from '../questions/index.ts';
import { createFindJournal, type RunJournal } from '../recorder/index.ts';
import type { ApprovalId, RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { createTurns } from '../time/index.ts';
import { type AftermathDeps, createAftermath } from './aftermath.ts';
import { type AllRowsDeps, createAllRows } from './all-rows.ts';
import type { Approvals, ApprovalsAtWork, LostClaim } from './answers.ts';
import { consider, offerTrust } from './considering.ts';
import { createDecide, type DecidingDeps } from './deciding.ts';
import { cancel, expire, follow, wake } from './ends.ts';
import { createFindInList, createLists, type ListDeps } from './lists.ts';
import { createReferrals, type ReferralDeps } from './referrals.ts';

export type * from './answers.ts';

export interface ApprovalsDeps
  extends Omit<DecidingDeps, 'open' | 'inTurn' | 'onDecided'>,
    Pick<AllRowsDeps, 'mayApproveTogether'>,
    Pick<ReferralDeps, 'callByName'>,
    Pick<ListDeps, 'groupsOf' | 'suggestionsTo' | 'now'>,
    Pick<AftermathDeps, 'journalOf' | 'lines' | 'request'> {
  readonly store: Pick<Store, 'findApproval' | 'members'>;
  /** Shows the open questions of a deleted card again. */
  readonly showAgain: (journal: RunJournal, lost: LostCard) => Promise<void>;
  /** Where this bot keeps its facts, as `placeOf` says it. */
  readonly place?: string | undefined;
}

export function createApprovals(deps: ApprovalsDeps): Approvals & ApprovalsAtWork {
  const open = createFindJournal(deps);
  const opening = { ...deps, open, inTurn: createTurns() };
  const openListed = createFindInList(deps);
  const find = async (id: ApprovalId) => (await openListed(id))?.approval(id);
  const findDoubt = async (id: ApprovalId) => {
    const question = await (await openListed(id))?.question(id);
    return question?.kind === 'doubt' ? question.asks : undefined;
  };
  const findUnheard = async (run: RunId) => {
    const state = await deps.journalOf(run).refreshUnlessOver();
    return state === undefined ? undefined : unheardRun(state);
  };
  return {
    find: async (id) => (await open(id))?.approval(id),
    ...createLists({ ...deps, find, findDoubt, findUnheard }),
    consider: (id, by) =>
      orFailed(deps.log, 'The process could not find out who may decide.', { approval: id }, () =>
        consider(opening, id, by),
      ),
    offerTrust: (id, by, terms) =>
      orFailed(deps.log, 'The process could not find out who may give trust.', { approval: id }, () =>
        offerTrust(opening, id, { by, terms }),
      ),
    decide: createDecide({ ...opening, onDecided: follow }),
    ...createAllRows({ ...opening, decide: createDecide({ ...opening, onDecided: wake }) }),
    ...createReferrals(opening),
    expire: (id) => expire(opening, id),
    cancel: (id, cause) => cancel(opening, id, cause),
    ...createAftermath(opening),
    isUnknown: async (id) => (await deps.store.findApproval(id)) === undefined,
    isLost: (claim) => isLost(deps, claim),
    isShown: deps.cards.isShown,
    cardDeleted: async (approval, card) => {
      const journal = await open(approval);
      if (journal !== undefined) await deps.showAgain(journal, { approval, card });
    },
  };
}

async function isLost(
  { store, journalOf, place }: Pick<ApprovalsDeps, 'store' | 'journalOf' | 'place'>,
  { approval, origin, place: postedFrom }: LostClaim,
): Promise<boolean> {
  if ((await store.findApproval(approval)) !== undefined) return false;
  if (place !== undefined && postedFrom === place) return true;
  return origin !== undefined && (await journalOf(origin.run).refresh())?.firstEntry === origin.firstEntry;
}
