import type { TrustId } from '../../records/index.ts';
import type { TrustedCall } from '../facts/trusted-lines.ts';
import type { RunState } from '../fold/state.ts';

export interface OwedLine extends TrustedCall {
  readonly trust: TrustId;
  readonly tool: string;
  /** How many calls of the run started on this trust. */
  readonly calls: number;
}

/** The key of the line of a trust. Each run posts it once. */
export const lineKey = (trust: TrustId): string => `trusted/${trust}`;

export function owedLines(state: RunState): readonly OwedLine[] {
  if (state.unheard) return [];
  const begun = [...state.calls.values()].flatMap(({ execution }) =>
    execution.type !== 'none' && execution.grant.type === 'trust' ? [{ ...execution, on: execution.grant.grant }] : [],
  );
  return [...new Set(begun.map(({ on }) => on))].flatMap((trust) => {
    const calls = begun.filter(({ on }) => on === trust);
    const latest = calls.reduce((one, other) => (other.startedAtMs >= one.startedAtMs ? other : one));
    const { tool, trusted } = latest;
    // Older journals have no `trusted`. The line of such a call was posted then, or never will be.
    if (trusted === undefined || calls.length <= (state.lines.get(trust) ?? 0)) return [];
    return [{ trust, tool, ...trusted, calls: calls.length }];
  });
}
