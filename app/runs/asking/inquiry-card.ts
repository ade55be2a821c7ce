import { decideWithdrawal } from '../../journal/index.ts';
import type { Waiting } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ApprovalId } from '../../records/index.ts';
import type { Surface } from '../../surface.ts';
import { type PostingDeps, postOnce } from '../telling/post-once.ts';

export interface InquiryCardDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'postInquiry' | 'status' | 'takeBack'>;
  readonly waiting: Pick<Waiting, 'look'>;
}

/** An inquiry that nobody can see is taken back. */
export async function postInquiryCard(deps: InquiryCardDeps, journal: RunJournal, id: ApprovalId): Promise<void> {
  const inquiry = journal.inquiry(id);
  if (inquiry?.standing.status !== 'pending' || inquiry.card !== undefined) return;
  const posted = await postOnce(deps, journal, {
    key: `inquiry/${id}`,
    standing: ({ inquiries }) => inquiries.get(id)?.card,
    isOver: ({ inquiries }) => inquiries.get(id)?.standing.status !== 'pending',
    send: (doubt) => deps.surface.postInquiry(inquiry, doubt),
    receipt: (_state, card) => [{ type: 'inquiry-posted', inquiry: id, card }],
    steps: ['inquiry-begun', 'inquiry-posted', 'inquiry-recorded'],
  });
  if (posted.type === 'posted') void deps.surface.status(inquiry.thread, 'suspended');
  if (posted.type !== 'unsent') return;
  const { server } = inquiry;
  deps.log.error('The question of a tool server could not be shown.', { inquiry: id, server, error: posted.error });
  await journal.commit((state) =>
    state === undefined ? { entries: [], result: 'settled' as const } : decideWithdrawal(state, id),
  );
  await deps.waiting.look(journal.run);
}
