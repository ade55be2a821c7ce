/** Why a run lets go of what it does: `parked` is not `cancelled`. */
export type LetGo = 'parked' | 'cancelled';

/** How a process makes a run that it has in hand let go, and since when that run has only been waiting for people. */
export interface Hold {
  readonly signal: AbortSignal;
  /** Aborted only when the run is stopped: a tool that was started may finish while its run is parked. */
  readonly stopped: AbortSignal;
  readonly letGo: (why: LetGo) => void;
  /** Parks it at its next safe point; one that only waits is at one. */
  readonly letGoSoon: () => void;
  /** What was being done is written, and nothing else has begun. */
  readonly atSafePoint: () => void;
  /** Marks one question as open; call what it returns when it is answered. */
  readonly waits: () => () => void;
  /** An answer is there: may this process go on? `false` when another one has the run by now. */
  readonly resumes: () => Promise<boolean>;
  readonly waitingSinceMs: () => number | undefined;
}

export function createHold(now: () => number, resumes: () => Promise<boolean> = async () => true): Hold {
  const loop = new AbortController();
  const tools = new AbortController();
  let open = 0;
  let sinceMs: number | undefined;
  let leaving = false;
  const letGo = (why: LetGo): void => {
    loop.abort(why);
    if (why === 'cancelled') tools.abort(why);
  };
  return {
    signal: loop.signal,
    stopped: tools.signal,
    letGo,
    letGoSoon: () => {
      leaving = true;
      if (sinceMs !== undefined) letGo('parked');
    },
    atSafePoint: () => {
      if (leaving) letGo('parked');
    },
    waits: () => {
      open += 1;
      sinceMs ??= now();
      if (leaving) letGo('parked');
      return () => {
        open -= 1;
        if (open === 0) sinceMs = undefined;
      };
    },
    resumes,
    waitingSinceMs: () => sinceMs,
  };
}
