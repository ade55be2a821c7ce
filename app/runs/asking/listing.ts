import { callsOfTurn, decideLists, isTurnLookedAt, type RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ApprovalId, RunId } from '../../records/index.ts';
import { pause } from '../../time/index.ts';
import { known } from '../gate/known.ts';
import { type CardDeps, postList } from './posting-cards.ts';

/** Many questions of one turn share list cards. The first process to get there writes which of them do. */
export interface Listing {
  /** The list card of this question, if it has one. Waits a moment for the other calls of its turn. */
  readonly listOf: (id: ApprovalId) => Promise<ApprovalId | undefined>;
  /** Posts the list card, once for all of its rows. False when Slack did not take it and its questions were taken back. */
  readonly show: (list: ApprovalId) => Promise<boolean>;
}

export interface ListingDeps extends CardDeps {
  readonly newQuestionId: (run: RunId) => ApprovalId;
}

export function createListing(deps: ListingDeps, journal: RunJournal): Listing {
  let gathering: Promise<void> | undefined;
  const shown = new Map<ApprovalId, Promise<boolean>>();

  const gather = async (): Promise<void> => {
    for (let waitedMs = 0; waitedMs < LIMITS.gatherMs && !isGathered(journal); waitedMs += LOOK_EVERY_MS) {
      await pause(LOOK_EVERY_MS);
    }
    const most = Math.ceil(LIMITS.toolCallsPerTurn / LIMITS.rowsPerCard);
    const ids = Array.from({ length: most }, () => deps.newQuestionId(journal.run));
    const { cardsPerTurn: alone, rowsPerCard } = LIMITS;
    const committed = await journal.decide((state) => decideLists(state, { ids, alone, rowsPerCard }), 'nothing');
    if (committed === 'listed') await deps.step('calls-listed');
  };

  return {
    listOf: async (id) => {
      const listed = () => known(journal).approvals.get(id)?.list;
      if (listed() !== undefined || !mayShareCard(known(journal))) return listed();
      gathering ??= gather().finally(() => {
        gathering = undefined;
      });
      await gathering;
      return listed();
    },
    show: (list) => {
      const before = shown.get(list);
      if (before !== undefined) return before;
      const posting = postList(deps, journal, list);
      shown.set(list, posting);
      return posting;
    },
  };
}

/** Whether a question of the newest turn may become a row of a list card: the turn has enough calls for one. */
export const mayShareCard = (state: RunState): boolean => callsOfTurn(state).length > LIMITS.cardsPerTurn;

const LOOK_EVERY_MS = 20;

function isGathered(journal: RunJournal): boolean {
  const state = known(journal);
  return state.status.type !== 'running' || isTurnLookedAt(state);
}
