import { unreachable } from '../../../interventions/index.ts';
import type { ApprovalId, InquiryStanding } from '../../records/index.ts';
import type { InquiryEntry, InquirySettled } from '../facts/inquiries.ts';
import type { Stamp } from '../line/line.ts';
import type { AskedInquiry } from './asked.ts';
import { BrokenJournalError } from './changes.ts';
import type { RunState } from './state.ts';

export function foldInquiry(state: RunState, entry: InquiryEntry & Stamp): RunState {
  switch (entry.type) {
    case 'inquiry-asked': {
      const { type: _, id: _id, atMs, inquiry: id, ...asked } = entry;
      const inquiry: AskedInquiry = { ...asked, id, askedAtMs: atMs, painted: false, standing: { status: 'pending' } };
      return { ...state, inquiries: new Map([...state.inquiries, [id, inquiry]]) };
    }
    case 'inquiry-posted':
      return withInquiry(state, entry.inquiry, (inquiry) => ({ ...inquiry, card: entry.card, painted: false }));
    case 'inquiry-painted':
      return withInquiry(state, entry.inquiry, (inquiry) => ({ ...inquiry, painted: true }));
    case 'inquiry-settled':
      return withInquiry(state, entry.inquiry, (inquiry) => {
        if (inquiry.standing.status !== 'pending')
          throw new BrokenJournalError(`settles inquiry ${entry.inquiry} twice`);
        return { ...inquiry, standing: standingAfter(entry) };
      });
    default:
      return unreachable(entry);
  }
}

function withInquiry(state: RunState, id: ApprovalId, change: (inquiry: AskedInquiry) => AskedInquiry): RunState {
  const inquiry = state.inquiries.get(id);
  if (inquiry === undefined) throw new BrokenJournalError(`speaks of inquiry ${id}, which was never asked`);
  return { ...state, inquiries: new Map([...state.inquiries, [id, change(inquiry)]]) };
}

export function standingAfter({ how, by, content, atMs }: InquirySettled & { readonly atMs: number }): InquiryStanding {
  if (by === undefined) return { status: how === 'expired' ? 'expired' : 'withdrawn' };
  return how === 'answered' && content !== undefined
    ? { status: 'answered', by, atMs, content }
    : { status: 'declined', by, atMs };
}
