import type { AskedApproval } from '../fold/asked.ts';
import type { RunState } from '../fold/state.ts';

/**
 * Approvals whose copies have to be repainted or found. They are owed even when the thread is unreachable, because copies are
 * direct messages. A run is sealed only after the search for copies; older runs were sealed without it.
 */
export function owedCopies({ approvals, sealed }: RunState): readonly AskedApproval[] {
  return [...approvals.values()].filter(
    ({ copies, copiesShow, news, perhapsTold }) =>
      (copies.length > 0 && copiesShow < news) || (perhapsTold.length > 0 && !sealed),
  );
}
