export { type PauseOptions, pause } from './pause.ts';
export { createPlanned, type Planned } from './planned.ts';
export { createTurns, type Turns, turnsOf } from './queue.ts';
export { createRetries, type Retries } from './retries.ts';
export { type Cancel, every, idleTimers, systemTimers } from './timers.ts';
export { type TimeLimit, withLimit } from './with-limit.ts';
