import type { AskedApproval, AskedQuestion } from '../fold/asked.ts';
import type { RunState } from '../fold/state.ts';

/**
 * Final states, and yeses that were counted, that their cards are not known to show. One without a receipt may have a
 * card all the same.
 */
export function owedPaintings(state: RunState): readonly AskedApproval[] {
  if (state.unheard) return [];
  return [...state.approvals.values()].filter(
    ({ standing, yeses, dropped, referred, painted, revision }) =>
      (standing.status !== 'pending' || yeses.length + dropped.length + referred.length > 0) && painted < revision,
  );
}

/** Cards that may still show buttons nobody should press; no receipt is not no card. */
export function owedQuestions({ unheard, questions }: RunState): readonly AskedQuestion[] {
  if (unheard) return [];
  return [...questions.values()].filter(({ painted, standing }) => standing.status !== 'pending' && !painted);
}
