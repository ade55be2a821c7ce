import { type CancelTimer, systemTimers } from './timers.ts';

/** Planned calls that are cancelled together. */
export interface Planned {
  readonly after: (delayMs: number, fire: () => void) => void;
  readonly cancelAll: () => void;
}

export function createPlanned(): Planned {
  const planned = new Set<CancelTimer>();
  return {
    after: (delayMs, fire) => {
      const cancel = systemTimers.after(delayMs, () => {
        planned.delete(cancel);
        fire();
      });
      planned.add(cancel);
    },
    cancelAll: () => {
      for (const cancel of planned) cancel();
      planned.clear();
    },
  };
}
