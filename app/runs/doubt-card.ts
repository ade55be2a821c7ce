import { decideUnasked } from '../journal/doubts.ts';
import type { RunState } from '../journal/state.ts';
import type { Log } from '../log.ts';
import type { ApprovalId } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { Surface } from '../surface.ts';
import type { Waiting } from '../waiting.ts';
import { beginPost, type PostingDeps } from './begin-post.ts';
import { unknownResult } from './doubt-results.ts';

export interface DoubtCardDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'postDoubt'>;
  readonly waiting: Pick<Waiting, 'look'>;
  readonly log: Log;
}

/** A question that nobody can see is taken back: nobody could answer it. */
export async function postDoubtCard(deps: DoubtCardDeps, journal: RunJournal, id: ApprovalId): Promise<void> {
  const doubt = await journal.doubt(id);
  if (doubt?.standing.status !== 'pending' || doubt.card !== undefined) return;
  const hasCard = ({ doubts }: RunState) => doubts.get(id)?.card !== undefined;
  const begun = await beginPost(deps, journal, { key: `doubt/${id}`, isPosted: hasCard, begun: 'doubt-begun' });
  if (begun === 'posted') return;
  try {
    const card = await deps.surface.postDoubt(doubt, begun);
    await deps.step('doubt-posted');
    await journal.commit((state) => ({
      entries: state === undefined || hasCard(state) ? [] : [{ type: 'doubt-posted', doubt: id, card }],
      result: undefined,
    }));
    await deps.step('doubt-recorded');
  } catch (error) {
    deps.log.error('Nobody could be asked what became of a call.', { doubt: id, error });
    await journal.commit((state) => {
      if (state === undefined) return { entries: [], result: undefined };
      const decided = decideUnasked(state, id);
      const lost = decided.result === 'withdrawn' ? [unknownResult(state, doubt.id)] : [];
      return { ...decided, items: lost };
    });
    await deps.waiting.look(journal.run);
  }
}
