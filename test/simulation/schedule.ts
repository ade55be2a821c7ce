import type { Chance } from './chance.ts';

/** A process of the bot as the simulation sees it. */
export interface Process {
  readonly name: string;
  alive: boolean;
  /** The process is paused and does not notice it. */
  paused: boolean;
  /** How many answers of the model the process may have lost: it died, paused or left, or the network lost them. */
  losses: number;
}

/** All events that could come next. Chance chooses one. An event has an order only where it waits for another. */
export interface Schedule {
  /** `at`: the process of the event. The events of a dead process are dropped; those outside of it still happen. */
  readonly add: (at: Process | 'outside', what: string, happen: () => void) => void;
  /** Carries out one event and all that follows from it at once. Returns `false` if there is none. */
  readonly step: () => Promise<boolean>;
  /** The latest events, newest last, for the reader of a broken promise. */
  readonly trace: () => readonly string[];
  readonly note: (what: string) => void;
}

interface Happening {
  readonly at: Process | 'outside';
  readonly what: string;
  readonly happen: () => void;
}

const KEPT = 400;

/** The real timer, because all others are simulated. All that follows at once ends before it fires. */
const settled = setImmediate;

export function createSchedule(chance: Chance): Schedule {
  let waiting: Happening[] = [];
  const trace: string[] = [];
  const note = (what: string) => {
    trace.push(what);
    if (trace.length > 2 * KEPT) trace.splice(0, KEPT);
  };
  return {
    add: (at, what, happen) => {
      waiting.push({ at, what, happen });
    },
    step: async () => {
      waiting = waiting.filter(({ at }) => at === 'outside' || at.alive);
      const next = chance.pick(waiting.filter(({ at }) => at === 'outside' || !at.paused));
      if (next === undefined) return false;
      waiting.splice(waiting.indexOf(next), 1);
      note(`${next.at === 'outside' ? '' : `${next.at.name}: `}${next.what}`);
      next.happen();
      await new Promise((resolve) => settled(resolve));
      return true;
    },
    trace: () => trace.slice(-KEPT),
    note,
  };
}
