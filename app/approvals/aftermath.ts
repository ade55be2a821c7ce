import { decideAskedAgain, decideTrustEnded } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { type Cards, orFailed, settleSoon } from '../questions/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId } from '../records/index.ts';
import type { Approvals, ApprovalsAtWork, AskAgainResult, Presser } from './answers.ts';

export interface AftermathDeps {
  readonly open: (id: ApprovalId) => Promise<RunJournal | undefined>;
  readonly cards: Cards;
  /** The same request as a message of this person, taken once for each approval. */
  readonly request: (approval: Approval, by: Presser) => Promise<unknown>;
  readonly log: Log;
}

/** What can still happen to an approval that is settled. None of it decides anything. */
export function createAftermath({
  open,
  cards,
  request,
  log,
}: AftermathDeps): Pick<Approvals, 'askAgain'> & Pick<ApprovalsAtWork, 'trustEnded'> {
  const askAgain = async (id: ApprovalId, by: Presser): Promise<AskAgainResult> => {
    const journal = await open(id);
    const approval = await journal?.approval(id);
    const state = journal?.state();
    if (journal === undefined || approval === undefined || state === undefined) return { type: 'unknown' };
    // Another workspace may know the same id for somebody else.
    const mine = by.team === approval.thread.team;
    const { result } = decideAskedAgain(state, id, by.user);
    if (result !== 'asked' || !mine) return { type: mine ? result : 'not-yours', approval };
    // First the message: it is taken once, so dying in between loses nothing and repeats nothing.
    await request(approval, by);
    await journal.decide((now) => decideAskedAgain(now, id, by.user), undefined);
    await settleSoon(cards, journal);
    return { type: 'asked', approval };
  };

  return {
    askAgain: (id, by) =>
      askAgain(id, by).catch(orFailed(log, 'An expired request was not asked again.', { approval: id })),
    trustEnded: async (id, by) => {
      try {
        const journal = await open(id);
        await journal?.decide((state) => decideTrustEnded(state, id, by), undefined);
        if (journal !== undefined) await settleSoon(cards, journal);
      } catch (error) {
        // The trust has ended all the same; a press on the card says so.
        log.warn('A card does not show yet that its trust has ended.', { approval: id, error });
      }
    },
  };
}
