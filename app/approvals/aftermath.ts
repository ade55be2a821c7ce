import { decideAskedAgain, decideTrustOver } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { type Cards, orFailed, settleSoon } from '../questions/index.ts';
import type { FindJournal, RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, Person, RunId } from '../records/index.ts';
import type { DebtOutcome } from '../surface.ts';
import type { Approvals, ApprovalsAtWork, AskAgainResult } from './answers.ts';

export interface AftermathDeps {
  readonly open: FindJournal;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly cards: Cards;
  /** The lines of calls on trust. */
  readonly lines: Pick<Cards, 'settle'>;
  /** Sends the same request again as a message of this person, once for each approval. */
  readonly request: (approval: Approval, by: Person) => Promise<unknown>;
  readonly log: Log;
}

/** What can still happen to a settled approval. None of it decides anything. */
export function createAftermath({
  open,
  journalOf,
  cards,
  lines,
  request,
  log,
}: AftermathDeps): Pick<Approvals, 'askAgain'> & Pick<ApprovalsAtWork, 'trustEnded'> {
  const askAgain = async (id: ApprovalId, by: Person): Promise<AskAgainResult> => {
    const journal = await open(id);
    const approval = await journal?.approval(id);
    const state = journal?.state();
    if (journal === undefined || approval === undefined || state === undefined) return { type: 'unknown' };
    // The same user id may belong to another person in another workspace.
    const inWorkspace = by.team === approval.thread.team;
    const { result } = decideAskedAgain(state, id, by.user);
    if (result !== 'asked' || !inWorkspace) return { type: inWorkspace ? result : 'not-yours', approval };
    // The message goes first. It is taken once, so a crash in between loses nothing and repeats nothing.
    await request(approval, by);
    await journal.decide((now) => decideAskedAgain(now, id, by.user), undefined);
    await settleSoon(cards, journal);
    return { type: 'asked', approval };
  };

  return {
    askAgain: (id, by) =>
      orFailed(log, 'An expired request was not asked again.', { approval: id }, () => askAgain(id, by)),
    trustEnded: async ({ trust, by, approval, runs }) => {
      const paid: DebtOutcome[] = [];
      const gave = approval === undefined ? undefined : await open(approval);
      for (const journal of [...(gave === undefined ? [] : [gave]), ...runs.map(journalOf)]) {
        await journal.decide((state) => decideTrustOver(state, trust, by), undefined);
        if (journal.state() !== undefined) paid.push(await cards.settle(journal), await lines.settle(journal));
      }
      return paid.includes('owing') ? 'owing' : 'shown';
    },
  };
}
