import type { CallOutcome } from './decisions.ts';
import type { TrustId, UserId } from './ids.ts';
import type { TrustOver } from './trust.ts';

/** The calls of one run that started on one trust, oldest first. One line in the thread shows them. */
export interface TrustedCalls {
  readonly trust: TrustId;
  readonly tool: string;
  readonly by: UserId;
  /** The sentence of the trust. Older journals have none. */
  readonly line?: string;
  readonly calls: readonly { readonly summary: string; readonly outcome: CallOutcome }[];
  readonly over?: TrustOver;
}
