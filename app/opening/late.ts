import type { Slack } from '../../handlers/index.ts';
import type { Workspaces } from '../../handlers/workspaces/index.ts';
import type { Core } from '../assembly/index.ts';
import type { Work } from '../work/index.ts';

/**
 * The parts that are made after the parts that call them, because they need each other in circles:
 *
 * - The configuration makes tools that speak in the workspaces. The workspaces read their tokens from a store that is
 *   opened by the configuration.
 * - The core uses the workspaces and the tools. The workspaces ask the core whose approval a press is about, and a tool
 *   server asks the requester through it.
 * - The core kicks the work, and the work advances the runs of the core.
 * - The core tells the door which entries were written, and the door calls the core.
 *
 * Each such call follows from a delivery, a run or a timer. Those begin with `start`, when all parts are there.
 */
export interface LateParts {
  readonly workspaces: Workspaces;
  readonly core: Core;
  readonly work: Work;
  readonly door: Slack;
}

export interface Late<Parts> {
  /** Throws before the parts have arrived. */
  readonly parts: () => Parts;
  readonly arrive: (parts: Parts) => void;
}

export function createLate<Parts>(): Late<Parts> {
  let arrived: Parts | undefined;
  return {
    parts: () => {
      if (arrived === undefined) {
        throw new Error(
          'A part of the process was called before all of its parts were made. Make the call in `start`, not while app/build.ts builds.',
        );
      }
      return arrived;
    },
    arrive: (parts) => {
      arrived = parts;
    },
  };
}
