import { given } from '../given.ts';
import type { AskedApproval, TrustEntryBody, TrustState } from '../journal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Approval, StandingTrust, TrustId } from '../records/index.ts';
import type { TermsOfTrust, TrustInWords } from './rights-to-trust.ts';
import { trustLine } from './trust-lines.ts';

/** Trusts that people give: on a card, or in words. */
export type TrustRecorder = Recorder<TrustState, TrustEntryBody>;

/** The tool's definition and the deployment's policy for it, when people were asked. */
export type TrustedAsk = Pick<AskedApproval, 'definition' | 'policy'>;

export interface TrustWish extends TrustInWords {
  readonly forMs: number;
  /** Names the words that ask for it. The same words give one trust, however often they are delivered. */
  readonly delivery?: string | undefined;
}

interface NewTrust {
  readonly trust: TrustId;
  readonly body: Omit<Extract<TrustEntryBody, { type: 'grant-given' }>, 'type' | 'grant' | 'untilMs'>;
  /** When the trust was agreed to; absent, it is now. */
  readonly sinceMs?: number;
}

/** The trust that a decision on a card gives, if it gives one. */
export function trustOnCard(approval: Approval, { definition, policy }: TrustedAsk): NewTrust | undefined {
  if (approval.status !== 'trusted' || approval.trust === undefined || approval.decision.grant === undefined)
    return undefined;
  const body = {
    team: approval.thread.team,
    tool: approval.tool,
    definition,
    ...given({ policy }),
    offer: approval.trust,
    thread: approval.thread,
    requester: approval.requester,
    by: approval.decision.by,
    approval: approval.id,
    ...(approval.trust.match === 'exact' ? { digest: approval.digest } : {}),
  };
  // The process that recorded the decision may have died, so another one may write the trust hours later.
  return { trust: approval.decision.grant, body, sinceMs: approval.decision.atMs };
}

export function trustInWords(
  { tool, scope, thread, forMs, by }: TrustWish,
  { definition, policy }: TermsOfTrust,
): NewTrust['body'] {
  const terms = { match: 'any', scope, forMs } as const;
  const offer = { ...terms, line: trustLine(tool, terms) };
  return { team: thread.team, tool, definition, policy, offer, thread, requester: by, by };
}

/** Writes the trust, unless it is there already. */
export async function writeTrust(recorder: TrustRecorder, { trust, body, sinceMs }: NewTrust): Promise<StandingTrust> {
  await recorder.refresh();
  await recorder.commit((state, nowMs) => ({
    entries:
      state === undefined
        ? [{ type: 'grant-given', grant: trust, ...body, untilMs: (sinceMs ?? nowMs) + body.offer.forMs }]
        : [],
    result: undefined,
  }));
  const state = recorder.state();
  if (state === undefined) throw new Error(`Trust ${trust} was not written, for no known reason. Try again.`);
  return state.trust;
}
