/** Why a run lets go: a parked run goes on later, a cancelled one does not. */
export type LetGo = 'parked' | 'cancelled';

/** How a process makes a run in hand let go, and since when the run has only been waiting for people. */
export interface Hold {
  readonly signal: AbortSignal;
  /** Aborted only when the run is stopped: a tool that was started may finish while its run is parked. */
  readonly stopped: AbortSignal;
  readonly letGo: (why: LetGo) => void;
  /** Parks the run at its next safe point. A run that only waits is at one. */
  readonly letGoSoon: () => void;
  /** Whether the run is to be parked soon. */
  readonly isLeaving: () => boolean;
  /** Call when all work is written and no other has begun. */
  readonly atSafePoint: () => void;
  /** Marks one question as open. Call the returned function when it is answered. */
  readonly waits: () => () => void;
  /** An answer has arrived: may this process go on? `false` when another process has the run by now. */
  readonly resumes: () => Promise<boolean>;
  readonly waitingSinceMs: () => number | undefined;
}

/** @param onWait called when the run begins to wait. */
export function createHold(
  now: () => number,
  resumes: () => Promise<boolean> = async () => true,
  onWait: () => void = () => {},
): Hold {
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
    isLeaving: () => leaving,
    atSafePoint: () => {
      if (leaving) letGo('parked');
    },
    waits: () => {
      open += 1;
      sinceMs ??= now();
      if (leaving) letGo('parked');
      onWait();
      return () => {
        open -= 1;
        if (open === 0) sinceMs = undefined;
      };
    },
    resumes,
    waitingSinceMs: () => sinceMs,
  };
}
