import type { Chance } from './chance.ts';
import type { Process, Schedule } from './schedule.ts';

/**
 * Stands between a process and what it talks to. Requests and answers take time, and each may be lost. The process may
 * die before its request arrives, or before it gets the answer.
 */
export type Across = <Result>(
  what: string,
  act: () => Result | Promise<Result>,
  /** The error that the process gets when the request or its answer is lost. */
  broken: () => Error,
) => Promise<Result>;

export interface Weather {
  /** How likely it is that a request never arrives. */
  refused: number;
  /** The probability that it was done and its reply is lost. */
  lost: number;
}

export interface BorderDeps {
  readonly schedule: Schedule;
  readonly chance: Chance;
  readonly weather: Weather;
}

export function createBorder({ schedule, chance, weather }: BorderDeps, process: Process): Across {
  return (what, act, broken) =>
    new Promise((resolve, reject) => {
      // A dead process sends nothing, and waits for ever.
      if (!process.alive) return;
      const answer = (how: string, hear: () => void) => schedule.add(process, `hears ${how} ${what}`, hear);
      schedule.add(process.paused ? process : 'outside', `${process.name} sends ${what}`, () => {
        if (chance.happens(weather.refused)) return answer('nothing of', () => reject(broken()));
        const done = async () => act();
        done().then(
          (result) =>
            chance.happens(weather.lost)
              ? answer('no answer to', () => reject(broken()))
              : answer('of', () => resolve(result)),
          (error: unknown) => answer('a no to', () => reject(error)),
        );
      });
    });
}

/** A process may die at this point. */
export function createPause(schedule: Schedule, process: Process): (what: string) => Promise<void> {
  return (what) =>
    new Promise((resolve) => {
      if (process.alive) schedule.add(process, what, resolve);
    });
}
