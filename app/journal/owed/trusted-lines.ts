import { z } from 'zod';
import { GrantId, UserId } from '../../records/index.ts';
import type { RunState } from '../fold/state.ts';

/**
 * A call that ran on a standing yes has no card. The thread is owed a line instead: one for each trust, which shows the
 * latest call and counts them all. The start of a call owes it; what it shows is known from what was written since.
 */

/** What the line says of a call, as people may see it. Written with its start, so whoever pays needs nothing else. */
export const TrustedCall = z.object({ by: UserId, summary: z.string() }).readonly();
export type TrustedCall = z.infer<typeof TrustedCall>;

export const TRUSTED_LINE_ENTRIES = [
  /** The line of this trust shows so many calls. */
  z.object({ type: z.literal('line-shown'), grant: GrantId, calls: z.number().int().positive() }),
] as const;

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
