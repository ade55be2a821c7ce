import { decideUnasked } from '../../journal/index.ts';
import type { Waiting } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ApprovalId } from '../../records/index.ts';
import type { Surface } from '../../surface.ts';
import { type PostingDeps, postOnce } from '../telling/post-once.ts';
import { unknownResult } from './doubt-results.ts';

export interface DoubtCardDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'postDoubt' | 'takeBack'>;
  readonly waiting: Pick<Waiting, 'look'>;
}

/** A question that nobody can see is taken back: nobody could answer it. */
export async function postDoubtCard(deps: DoubtCardDeps, journal: RunJournal, id: ApprovalId): Promise<void> {
  const doubt = await journal.doubt(id);
  if (doubt?.standing.status !== 'pending' || doubt.card !== undefined) return;
  const posted = await postOnce(deps, journal, {
    key: `doubt/${id}`,
    standing: ({ doubts }) => doubts.get(id)?.card,
    isOver: ({ doubts }) => doubts.get(id)?.standing.status !== 'pending',
    send: (asked) => deps.surface.postDoubt(doubt, asked),
    receipt: (_state, card) => [{ type: 'doubt-posted', doubt: id, card }],
    steps: ['doubt-begun', 'doubt-posted', 'doubt-recorded'],
  });
  if (posted.type !== 'unsent') return;
  deps.log.error('Nobody could be asked what became of a call.', { doubt: id, error: posted.error });
  await journal.commit((state) => {
    if (state === undefined) return { entries: [], result: undefined };
    const decided = decideUnasked(state, id);
    const lost = decided.result === 'withdrawn' ? [unknownResult(state, doubt.id)] : [];
    return { ...decided, items: lost };
  });
  await deps.waiting.look(journal.run);
}
