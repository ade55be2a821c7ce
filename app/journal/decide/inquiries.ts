import type { ApprovalId, InquiryContent, UserId } from '../../records/index.ts';
import type { InquiryAsked } from '../facts/inquiries.ts';
import { pendingQuestions } from '../fold/queries/questions.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

export type InquiryAsk = Omit<InquiryAsked, 'type'>;

/** Only a call that runs can ask, so that there is always somebody who takes the inquiry away; and only so much at once. */
export function decideInquiry(state: RunState, ask: InquiryAsk, most: number): Decided<'asked' | 'too-many' | 'over'> {
  const running = state.status.type === 'running' && state.calls.get(ask.call)?.execution.type === 'started';
  if (!running) return { entries: [], result: 'over' };
  const open = pendingQuestions(state).filter(({ kind, call }) => kind === 'inquiry' && call === ask.call).length;
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
  const inquiry = state.questions.get(id);
  if (inquiry?.kind !== 'inquiry') return { entries: [], result: 'unknown' };
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
