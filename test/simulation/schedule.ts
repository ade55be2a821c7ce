import type { Chance } from './chance.ts';

/** A process of the bot, as far as its surroundings know: it is there, or it is not. */
export interface Process {
  readonly name: string;
  alive: boolean;
  /** It stands still, and does not know it. */
  paused: boolean;
  /** How many answers of the model it can have lost: by dying, standing still, leaving, or on the way. */
  losses: number;
}

/** Everything that could happen next. One of it does, and chance says which: nothing is in order but what waits for it. */
export interface Schedule {
  /** `at`: where it happens. What would happen in a process that died does not; what is under way outside still may. */
  readonly add: (at: Process | 'outside', what: string, happen: () => void) => void;
  /** Lets one thing happen, and all that follows from it at once. `false` when there is nothing. */
  readonly step: () => Promise<boolean>;
  /** The latest, newest last: what to read when a promise was broken. */
  readonly trace: () => readonly string[];
  readonly note: (what: string) => void;
}

interface Happening {
  readonly at: Process | 'outside';
  readonly what: string;
  readonly happen: () => void;
}

const KEPT = 400;

/** The real one: time itself is simulated, and what follows at once ends before this fires. */
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
