export { openWork } from './open.ts';
export type { ThreadOutcome, Work } from './work.ts';
