import type { GrantId } from '../../records/index.ts';
import type { TrustedCall } from '../facts/trusted-lines.ts';
import type { RunState } from '../fold/state.ts';

export interface OwedLine extends TrustedCall {
  readonly grant: GrantId;
  readonly tool: string;
  /** How many calls of the run were begun on this trust. */
  readonly calls: number;
}

/** Under this key the thread is told of a trust, once in each run. */
export const lineKey = (grant: GrantId): string => `trusted/${grant}`;

export function owedLines(state: RunState): readonly OwedLine[] {
  if (state.unheard) return [];
  const begun = [...state.calls.values()].flatMap(({ execution }) =>
    execution.type !== 'none' && execution.grant.type === 'trust' ? [{ ...execution, on: execution.grant.grant }] : [],
  );
  return [...new Set(begun.map(({ on }) => on))].flatMap((grant) => {
    const calls = begun.filter(({ on }) => on === grant);
    const latest = calls.reduce((one, other) => (other.startedAtMs >= one.startedAtMs ? other : one));
    const { tool, trusted } = latest;
    // Journals from before say nothing of it, and whoever wrote them has told the thread or never will.
    if (trusted === undefined || calls.length <= (state.lines.get(grant) ?? 0)) return [];
    return [{ grant, tool, ...trusted, calls: calls.length }];
  });
}
