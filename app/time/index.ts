export { createInTurn } from './in-turn.ts';
export { createTurns, turnsOf } from './queue.ts';
export { createRetries, type Retries } from './retries.ts';
