import type { RunId, UserId } from '../../records/index.ts';
import type { TrustEntryBody } from '../facts/trusts.ts';
import { covers, type GrantedCall, lastMs } from '../fold/queries/trusts.ts';
import { keyOfUse, type TrustState } from '../fold/trusts.ts';

/** Counts a call on a trust, once, or returns that the trust no longer covers it. */
export function decideUse(
  state: TrustState,
  call: GrantedCall & { readonly run: RunId; readonly call: string },
  nowMs: number,
): { readonly entries: readonly TrustEntryBody[]; readonly result: 'used' | 'ended'; readonly notAfterMs?: number } {
  if (state.trust.revoked !== undefined) return { entries: [], result: 'ended' };
  // A process died after it counted this call, which may have been the last use.
  if (state.usedBy.has(keyOfUse(call))) return { entries: [], result: 'used' };
  if (!covers(state.trust, call, nowMs)) return { entries: [], result: 'ended' };
  return {
    entries: [{ type: 'grant-used', run: call.run, call: call.call }],
    result: 'used',
    notAfterMs: lastMs(state.trust),
  };
}

/** Ends a trust. Calls that have started go on. */
export function decideRevoke(
  state: TrustState,
  by: UserId,
): { readonly entries: readonly TrustEntryBody[]; readonly result: 'revoked' | 'already' } {
  if (state.trust.revoked !== undefined) return { entries: [], result: 'already' };
  return { entries: [{ type: 'grant-revoked', by }], result: 'revoked' };
}
