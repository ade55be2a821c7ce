import type { AskedApproval } from '../fold/asked.ts';
import type { RunState } from '../fold/state.ts';

/**
 * Also where its thread hears nothing any more: people are told elsewhere. A run is sealed when all of it was looked for,
 * and older ones were sealed without.
 */
export function owedCopies({ approvals, sealed }: RunState): readonly AskedApproval[] {
  return [...approvals.values()].filter(
    ({ copies, copiesShow, news, perhapsTold }) =>
      (copies.length > 0 && copiesShow < news) || (perhapsTold.length > 0 && !sealed),
  );
}
