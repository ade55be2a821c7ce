import type { BeforeToolCallEvent } from '../hooks/events.ts';

/** What people refused in each invocation, by its signal. Forgotten when the invocation ends. */
export interface Refusals {
  readonly note: (event: BeforeToolCallEvent) => void;
  /** Why people are not asked about this call again, or `undefined`. */
  readonly closed: (event: BeforeToolCallEvent) => string | undefined;
}

const REFUSALS_PER_TOOL = 3;

export function createRefusals(perTool = REFUSALS_PER_TOOL): Refusals {
  const byInvocation = new WeakMap<
    AbortSignal,
    { readonly digests: Set<string>; readonly counts: Map<string, number> }
  >();
  return {
    note: (event) => {
      const noted = byInvocation.get(event.signal) ?? { digests: new Set(), counts: new Map() };
      const { name } = event.effective();
      noted.digests.add(event.digest());
      noted.counts.set(name, (noted.counts.get(name) ?? 0) + 1);
      byInvocation.set(event.signal, noted);
    },
    closed: (event) => {
      const noted = byInvocation.get(event.signal);
      if (noted === undefined) return undefined;
      const { name } = event.effective();
      if (noted.digests.has(event.digest()))
        return 'A person refused this same call before, so people were not asked again.';
      if ((noted.counts.get(name) ?? 0) < perTool) return undefined;
      return `People refused ${JSON.stringify(name)} ${perTool} times, so it is closed for now.`;
    },
  };
}
