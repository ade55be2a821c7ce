import { decideCancel } from '../../journal/index.ts';
import type { Waiting } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ApprovalId } from '../../records/index.ts';
import type { Surface } from '../../surface.ts';
import { type PostingDeps, postOnce } from '../telling/post-once.ts';
import { WORDS } from '../telling/words.ts';

export interface OwnCardDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'postCard' | 'takeBack'>;
  readonly waiting: Pick<Waiting, 'look'>;
}

/** No card, no approval: a question that nobody can see is taken back, and the run hears why. */
export async function postOwnCard(deps: OwnCardDeps, journal: RunJournal, id: ApprovalId): Promise<boolean> {
  const approval = await journal.approval(id);
  if (approval?.status !== 'pending' || approval.card !== undefined) return true;
  const posted = await postOnce(deps, journal, {
    key: `card/${id}`,
    standing: ({ approvals }) => approvals.get(id)?.card,
    isOver: ({ approvals }) => approvals.get(id)?.standing.status !== 'pending',
    send: (doubt) => deps.surface.postCard(approval, doubt),
    receipt: (_state, card) => [{ type: 'card-posted', approval: id, card }],
    steps: ['card-begun', 'card-posted', 'card-recorded'],
  });
  if (posted.type !== 'unsent') return true;
  deps.log.error('A card could not be posted.', { approval: id, error: posted.error });
  await journal.commit((state) =>
    state === undefined ? { entries: [], result: undefined } : decideCancel(state, id, WORDS.unseen),
  );
  await deps.waiting.look(journal.run);
  return false;
}
