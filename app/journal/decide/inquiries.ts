import type { ApprovalId, InquiryContent, UserId } from '../../records/index.ts';
import type { InquirySettled } from '../facts/inquiries.ts';
import type { AskedInquiry } from '../fold/asked.ts';
import { pendingInquiries } from '../fold/queries/inquiries.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

export interface InquiryAsk {
  readonly inquiry: ApprovalId;
  readonly call: string;
  readonly server: string;
  readonly tool: string;
  readonly message: string;
  readonly schema: string;
  readonly expiresAtMs: number;
}

/** Only a call that runs can ask, so that there is always somebody who takes the inquiry away; and only so much at once. */
export function decideInquiry(state: RunState, ask: InquiryAsk, most: number): Decided<'asked' | 'too-many' | 'over'> {
  const running = state.status.type === 'running' && state.calls.get(ask.call)?.execution.type === 'started';
  if (!running) return { entries: [], result: 'over' };
  const open = pendingInquiries(state).filter(({ call }) => call === ask.call).length;
  if (open >= most) return { entries: [], result: 'too-many' };
  return { entries: [{ type: 'inquiry-asked', ...ask }], result: 'asked' };
}

export interface AnswerFacts {
  readonly inquiry: ApprovalId;
  /** From the verified payload. */
  readonly by: { readonly user: UserId; readonly team: string };
  readonly answer: { readonly how: 'answered'; readonly content: InquiryContent } | { readonly how: 'declined' };
}

export type AnswerOutcome = 'recorded' | 'settled' | 'not-yours' | 'unknown';

/** The server asks on behalf of the requester's own call, so nobody else answers; and the first answer stands. */
export function decideAnswer(state: RunState, { inquiry: id, by, answer }: AnswerFacts): Decided<AnswerOutcome> {
  const inquiry = state.inquiries.get(id);
  if (inquiry === undefined) return { entries: [], result: 'unknown' };
  if (inquiry.standing.status !== 'pending') return { entries: [], result: 'settled' };
  if (!mayAnswer(state, by)) return { entries: [], result: 'not-yours' };
  return {
    entries: [{ type: 'inquiry-settled', inquiry: id, by: by.user, ...answer }],
    result: 'recorded',
    notAfterMs: inquiry.expiresAtMs,
  };
}

export function mayAnswer(
  { requester, thread }: Pick<RunState, 'requester' | 'thread'>,
  by: AnswerFacts['by'],
): boolean {
  return by.user === requester && by.team === thread.team;
}

export function decideInquiryExpiry(
  state: RunState,
  id: ApprovalId,
  nowMs: number,
): Decided<'expired' | 'not-yet' | 'settled'> {
  const inquiry = state.inquiries.get(id);
  if (inquiry?.standing.status !== 'pending') return { entries: [], result: 'settled' };
  if (nowMs < inquiry.expiresAtMs) return { entries: [], result: 'not-yet' };
  return { entries: [{ type: 'inquiry-settled', inquiry: id, how: 'expired' }], result: 'expired' };
}

export function decideWithdrawal(state: RunState, id: ApprovalId): Decided<'withdrawn' | 'settled'> {
  const entries = withdrawals(state, (inquiry) => inquiry.id === id);
  return { entries, result: entries.length === 0 ? 'settled' : 'withdrawn' };
}

/** What must be written when these have nobody any more who could use an answer. */
export function withdrawals(state: RunState, isOver: (inquiry: AskedInquiry) => boolean): readonly InquirySettled[] {
  return [...state.inquiries.values()]
    .filter((inquiry) => inquiry.standing.status === 'pending' && isOver(inquiry))
    .map(({ id }) => ({ type: 'inquiry-settled', inquiry: id, how: 'withdrawn' }));
}
