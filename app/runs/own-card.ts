import { decideCancel } from '../journal/decide.ts';
import type { RunState } from '../journal/state.ts';
import type { Log } from '../log.ts';
import type { ApprovalId } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { Surface } from '../surface.ts';
import type { Waiting } from '../waiting.ts';
import { beginPost, type PostingDeps } from './begin-post.ts';
import { WORDS } from './words.ts';

export interface OwnCardDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'postCard'>;
  readonly waiting: Pick<Waiting, 'look'>;
  readonly log: Log;
}

/** No card, no approval: a question that nobody can see is taken back, and the run hears why. */
export async function postOwnCard(deps: OwnCardDeps, journal: RunJournal, id: ApprovalId): Promise<boolean> {
  const approval = await journal.approval(id);
  if (approval?.status !== 'pending' || approval.card !== undefined) return true;
  const isPosted = ({ approvals }: RunState) => approvals.get(id)?.card !== undefined;
  const begun = await beginPost(deps, journal, { key: `card/${id}`, isPosted, begun: 'card-begun' });
  if (begun === 'posted') return true;
  try {
    const card = await deps.surface.postCard(approval, begun);
    await deps.step('card-posted');
    await journal.commit((state) => ({
      entries: state?.approvals.get(id)?.card === undefined ? [{ type: 'card-posted', approval: id, card }] : [],
      result: undefined,
    }));
    await deps.step('card-recorded');
    return true;
  } catch (error) {
    deps.log.error('A card could not be posted.', { approval: id, error });
    await journal.commit((state) =>
      state === undefined ? { entries: [], result: undefined } : decideCancel(state, id, WORDS.unseen),
    );
    await deps.waiting.look(journal.run);
    return false;
  }
}
