export { keepNewest } from './newest.ts';
export { pause } from './pause.ts';
export { createPlanned } from './planned.ts';
export { createSharedWork, createTurns, type Turns } from './queue.ts';
export { createRetries, type Retries } from './retries.ts';
export { type CancelTimer, every, idleTimers, systemTimers } from './timers.ts';
export { atOnce, inTurns, nextTurn, turnsByLength } from './turn.ts';
export { whileUnderWay, withLimit } from './with-limit.ts';
