import { given } from '../../given.ts';
import type { TrustedCalls, TrustId } from '../../records/index.ts';
import { outcomeOfBegun } from '../fold/queries/view.ts';
import type { RunState } from '../fold/state.ts';

export interface OwedLine extends TrustedCalls {
  /** The version of the journal that this line shows. */
  readonly shows: number;
}

/** The key of the line of a trust. Each run posts it once. */
export const lineKey = (trust: TrustId): string => `trusted/${trust}`;

export function owedLines(state: RunState): readonly OwedLine[] {
  if (state.unheard) return [];
  return [...state.lines].flatMap(([trust, { news, shows, over }]) => {
    if (news <= shows) return [];
    const begun = [...state.calls.values()].flatMap(({ execution }) =>
      execution.type !== 'none' && execution.grant.type === 'trust' && execution.grant.grant === trust
        ? [execution]
        : [],
    );
    const calls = begun
      .sort((one, other) => one.startedAtMs - other.startedAtMs)
      // Older journals have no `trusted`. The line of such a call was posted then, or never will be.
      .flatMap((one) => (one.trusted === undefined ? [] : [{ ...one.trusted, outcome: outcomeOfBegun(one) }]));
    const latest = calls.at(-1);
    if (latest === undefined) return [];
    const { by, line } = latest;
    const shown = calls.map(({ summary, outcome }) => ({ summary, outcome }));
    return [{ trust, tool: begun[0]?.tool ?? '', by, calls: shown, shows: state.version, ...given({ line, over }) }];
  });
}
