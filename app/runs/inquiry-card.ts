import { decideWithdrawal } from '../journal/inquiries.ts';
import type { RunState } from '../journal/state.ts';
import type { Log } from '../log.ts';
import type { ApprovalId } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { Surface } from '../surface.ts';
import type { Waiting } from '../waiting.ts';
import { beginPost, type PostingDeps } from './begin-post.ts';

export interface InquiryCardDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'postInquiry' | 'status'>;
  readonly waiting: Pick<Waiting, 'look'>;
  readonly log: Log;
}

/** An inquiry that nobody can see is taken back. */
export async function postInquiryCard(deps: InquiryCardDeps, journal: RunJournal, id: ApprovalId): Promise<void> {
  const inquiry = journal.inquiry(id);
  if (inquiry?.standing.status !== 'pending' || inquiry.card !== undefined) return;
  const hasCard = ({ inquiries }: RunState) => inquiries.get(id)?.card !== undefined;
  const begun = await beginPost(deps, journal, { key: `inquiry/${id}`, isPosted: hasCard, begun: 'inquiry-begun' });
  if (begun === 'posted') return;
  try {
    const card = await deps.surface.postInquiry(inquiry, begun);
    await deps.step('inquiry-posted');
    await journal.commit((state) => ({
      entries: state === undefined || hasCard(state) ? [] : [{ type: 'inquiry-posted', inquiry: id, card }],
      result: undefined,
    }));
    await deps.step('inquiry-recorded');
    void deps.surface.status(inquiry.thread, 'suspended');
  } catch (error) {
    const { server } = inquiry;
    deps.log.error('The question of a tool server could not be shown.', { inquiry: id, server, error });
    await journal.commit((state) =>
      state === undefined ? { entries: [], result: 'settled' as const } : decideWithdrawal(state, id),
    );
    await deps.waiting.look(journal.run);
  }
}
