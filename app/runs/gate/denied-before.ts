import type { RunState } from '../../journal/index.ts';
import type { RunId } from '../../records/index.ts';

/** No asking about what a person has just refused. */

export interface DeniedBeforeDeps {
  readonly stateOf: (run: RunId) => Promise<RunState | undefined>;
  /** How long a no counts for the runs after it, too. In its own run it always does. */
  readonly afterDenialMs: number;
  readonly now: () => number;
}

/** The digest of a call is over its tool and its input: equal digests are the same wish. */
export async function deniedBefore(
  { stateOf, afterDenialMs, now }: DeniedBeforeDeps,
  state: RunState,
  { key, digest }: { readonly key: string; readonly digest: string },
): Promise<string | undefined> {
  if (denials(state, digest).some(({ call }) => call !== key)) return SAME_RUN;
  for (let run = state.previous, left = MOST_RUNS; run !== undefined && left > 0; left -= 1) {
    const before = await stateOf(run);
    if (before === undefined) return undefined;
    const waitMs = Math.max(0, ...denials(before, digest).map(({ atMs }) => atMs + afterDenialMs - now()));
    if (waitMs > 0) return lately(waitMs);
    run = before.previous;
  }
  return undefined;
}

/** A no is forgotten soon, so nobody has to look far back for it. */
const MOST_RUNS = 5;

function denials(state: RunState, digest: string): readonly { readonly call: string; readonly atMs: number }[] {
  return [...state.approvals.values()].flatMap(({ call, standing, ...asked }) => {
    if (asked.digest !== digest || standing.status !== 'decided' || standing.decision.verdict !== 'deny') return [];
    return [{ call, atMs: standing.decision.atMs }];
  });
}

const SAME_RUN =
  'A person refused exactly this call in this run, so nobody was asked again. Do not repeat it: say what you need, or do it another way.';

function lately(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000);
  return (
    `A person refused exactly this call a moment ago, so nobody was asked again. It can be asked again in about ${minutes} ` +
    `minute${minutes === 1 ? '' : 's'}: tell the person so.`
  );
}
