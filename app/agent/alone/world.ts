import { hash } from 'node:crypto';
import type { Clock, Timers } from '../../../interventions/index.ts';
import { systemClock } from '../../clock.ts';
import { systemTimers } from '../../time/index.ts';

/** What an agent takes from the world, unless it is handed something else. */
export interface AgentWorld {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Names the exact call that a person approved, so it must be one that cannot be forged. */
  readonly hash: (text: string) => string;
}

export const THIS_WORLD: AgentWorld = {
  clock: systemClock,
  timers: systemTimers,
  hash: (text) => hash('sha256', text, 'hex'),
};
