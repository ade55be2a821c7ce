import { createLane, type Lane } from './lane.ts';
import type { MethodPolicy } from './rates.ts';

export type LaneOf = (key: string, policy: MethodPolicy) => Lane;

const MOST_LANES = 100;

/** The lanes in use, by key. Idle lanes are dropped when there are many. */
export function createLanes(now: () => number): LaneOf {
  const lanes = new Map<string, Lane>();
  return (key, policy) => {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    if (lanes.size >= MOST_LANES) {
      for (const [name, lane] of lanes) if (lane.isIdle(now())) lanes.delete(name);
    }
    const lane = createLane(policy.window);
    lanes.set(key, lane);
    return lane;
  };
}
