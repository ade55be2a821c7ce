import type { ApprovalId } from '../../records/index.ts';
import type { AskedApproval, AskedQuestion } from '../fold/asked.ts';
import type { RunState } from '../fold/state.ts';

/**
 * Approvals whose cards may not show their end, or their counted approvals and referrals. An approval without a receipt may
 * have a card all the same.
 */
export function owedPaintings(state: RunState): readonly AskedApproval[] {
  return state.unheard ? [] : unpainted(state);
}

/** The same, also where Slack takes nothing for the run. */
export function unpainted({ approvals }: Pick<RunState, 'approvals'>): readonly AskedApproval[] {
  return [...approvals.values()].filter(
    ({ standing, yeses, dropped, referred, painted, revision }) =>
      (standing.status !== 'pending' || yeses.length + dropped.length + referred.length > 0) && painted < revision,
  );
}

/** The cards of these approvals, by the id of the list where several share one. */
export function owedCards(state: RunState): ReadonlySet<ApprovalId> {
  return new Set(owedPaintings(state).map(({ id, list }) => list ?? id));
}

/** Settled questions whose cards may still show buttons. A question without a receipt may have a card all the same. */
export function owedQuestions(state: RunState): readonly AskedQuestion[] {
  return state.unheard ? [] : unpaintedQuestions(state);
}

/** The same, also where Slack takes nothing for the run. */
export function unpaintedQuestions({ questions }: Pick<RunState, 'questions'>): readonly AskedQuestion[] {
  return [...questions.values()].filter(({ painted, standing }) => standing.status !== 'pending' && !painted);
}
