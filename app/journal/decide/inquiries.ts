import { z } from 'zod';
import {
  ApprovalId,
  CardReceipt,
  type Inquiry,
  InquiryContent,
  type InquiryStanding,
  UserId,
} from '../../records/index.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decide.ts';

/**
 * What a tool server wants to know in the middle of a call. It lives with its call: no restart brings it back, and
 * whoever ends the call takes it away.
 */

const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

export const INQUIRY_ENTRIES = [
  entry('inquiry-asked', {
    inquiry: ApprovalId,
    call: z.string(),
    server: z.string(),
    tool: z.string(),
    /** The server's own words. */
    message: z.string(),
    /** The form, as JSON text. */
    schema: z.string(),
    expiresAtMs: z.number().int(),
  }),
  entry('inquiry-posted', { inquiry: ApprovalId, card: CardReceipt }),
  /** The card shows how it ended; that is the only debt it has. */
  entry('inquiry-painted', { inquiry: ApprovalId }),
  entry('inquiry-settled', {
    inquiry: ApprovalId,
    how: z.enum(['answered', 'declined', 'withdrawn', 'expired']),
    by: UserId.optional(),
    content: InquiryContent.optional(),
  }),
] as const;
export type InquiryEntry = z.infer<(typeof INQUIRY_ENTRIES)[number]>;
type Settled = Extract<InquiryEntry, { readonly type: 'inquiry-settled' }>;

export type AskedInquiry = Omit<Inquiry, 'run' | 'thread' | 'requester'> & {
  readonly call: string;
  /** Where its card stood before somebody deleted it. */
  readonly lostCards?: readonly CardReceipt[];
  readonly painted: boolean;
};

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
export function withdrawals(state: RunState, isOver: (inquiry: AskedInquiry) => boolean): readonly Settled[] {
  return [...state.inquiries.values()]
    .filter((inquiry) => inquiry.standing.status === 'pending' && isOver(inquiry))
    .map(({ id }) => ({ type: 'inquiry-settled', inquiry: id, how: 'withdrawn' }));
}

export function standingAfter({ how, by, content, atMs }: Settled & { readonly atMs: number }): InquiryStanding {
  if (by === undefined) return { status: how === 'expired' ? 'expired' : 'withdrawn' };
  return how === 'answered' && content !== undefined
    ? { status: 'answered', by, atMs, content }
    : { status: 'declined', by, atMs };
}

export function settledInquiry(state: RunState, id: ApprovalId): AskedInquiry | undefined {
  const inquiry = state.inquiries.get(id);
  return inquiry?.standing.status === 'pending' ? undefined : inquiry;
}

export function pendingInquiries(state: RunState): readonly AskedInquiry[] {
  return [...state.inquiries.values()].filter(({ standing }) => standing.status === 'pending');
}

/** Cards that may still show buttons nobody should press; no receipt is not no card. */
export function owedInquiries(state: RunState): readonly AskedInquiry[] {
  if (state.unheard) return [];
  return [...state.inquiries.values()].filter(({ painted, standing }) => standing.status !== 'pending' && !painted);
}

/** The record that the view draws. */
export function toInquiry({ run, thread, requester }: RunState, asked: AskedInquiry): Inquiry {
  const { call: _call, lostCards: _lostCards, painted: _painted, ...rest } = asked;
  return { ...rest, run, thread, requester };
}
