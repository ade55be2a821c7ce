import type { RunState } from '../../journal/index.ts';
import type { RunId } from '../../records/index.ts';

/** Keeps the agent from asking again about a call that a person has just denied. */

export interface DeniedBeforeDeps {
  readonly stateOf: (run: RunId) => Promise<RunState | undefined>;
  /** How long a denial also counts in later runs of the thread. In its own run it counts until the run ends. */
  readonly afterDenialMs: number;
  readonly now: () => number;
}

/** Compares digests. A digest covers the tool and the input, so equal digests mean the same call. */
export async function deniedBefore(
  { stateOf, afterDenialMs, now }: DeniedBeforeDeps,
  state: RunState,
  { key, digest }: { readonly key: string; readonly digest: string },
): Promise<string | undefined> {
  if (denials(state, digest).some(({ call }) => call !== key)) return SAME_RUN;
  let next = state;
  // What a person denied in an earlier run is older than the next one.
  for (let left = MOST_RUNS; left > 0 && next.startedAtMs + afterDenialMs > now(); left -= 1) {
    const before = next.previous === undefined ? undefined : await stateOf(next.previous);
    if (before === undefined) return undefined;
    const waitMs = Math.max(0, ...denials(before, digest).map(({ atMs }) => atMs + afterDenialMs - now()));
    if (waitMs > 0) return lately(waitMs);
    next = before;
  }
  return undefined;
}

/** A denial counts for a short time, so looking at a few earlier runs is enough. */
const MOST_RUNS = 5;

function denials(state: RunState, digest: string): readonly { readonly call: string; readonly atMs: number }[] {
  const alike = [...state.approvals.values()].filter((asked) => asked.digest === digest);
  return alike.flatMap(({ call, standing }) => {
    if (standing.status !== 'decided' || standing.decision.verdict !== 'deny') return [];
    return [{ call, atMs: standing.decision.atMs }];
  });
}

const SAME_RUN =
  'A person refused exactly this call in this run, so people were not asked again. Do not repeat it: say what you need, or do it another way.';

function lately(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000);
  return (
    `A person refused exactly this call a moment ago, so people were not asked again. It can be asked again in about ${minutes} ` +
    `minute${minutes === 1 ? '' : 's'}: tell the person so.`
  );
}
