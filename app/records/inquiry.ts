import { z } from 'zod';
import type { CardReceipt } from './cards.ts';
import type { ApprovalId, RunId, Thread, UserId } from './ids.ts';

/** What a person filled into the form of a tool server. */
export const InquiryContent = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]))
  .readonly();
export type InquiryContent = z.infer<typeof InquiryContent>;

/** What a tool server asks the requester in the middle of a call, as its view draws it. */
export interface Inquiry {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly server: string;
  readonly tool: string;
  /** The server's own words, never ours. */
  readonly message: string;
  /** The form as JSON text. What is no form we can draw leaves only the way to decline. */
  readonly schema: string;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly card?: CardReceipt;
  readonly standing: InquiryStanding;
}

export type InquiryStanding =
  | { readonly status: 'pending' }
  | { readonly status: 'answered'; readonly by: UserId; readonly atMs: number; readonly content: InquiryContent }
  | { readonly status: 'declined'; readonly by: UserId; readonly atMs: number }
  /** The call ended or was stopped, or the server does not want to know any more. */
  | { readonly status: 'withdrawn' }
  | { readonly status: 'expired' };
