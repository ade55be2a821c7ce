import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import { createPlanned } from '../time/index.ts';
import { createClaims } from './claims.ts';
import { createSweep } from './sweep.ts';
import type { Work, WorkDeps } from './work.ts';

/** For a store that no other process can use: a kicked thread is advanced here, and `todo` is read again at start. */
export function createInProcessWork(deps: WorkDeps): Work {
  const delayed = createPlanned();
  const claims = createClaims({
    ...deps,
    isAlone: true,
    isSteady: () => true,
    onTrouble: (error) => sweep.noteTrouble(error),
  });
  const take = (thread: ThreadKey) => void claims.take(thread);
  const sweep = createSweep({
    ...deps,
    claimMs: LIMITS.leaseMs,
    onThreads: (threads) => threads.forEach(take),
    beat: claims.beat,
  });

  return {
    kick: (thread, inMs = 0) => {
      if (inMs === 0) return take(thread);
      delayed.after(inMs, () => take(thread));
    },
    hold: claims.hold,
    start: sweep.start,
    close: (limitMs) => {
      sweep.stop();
      delayed.cancelAll();
      return claims.close(limitMs).finally(sweep.end);
    },
  };
}
