export { openWork } from './open.ts';
export type { Advanced, Work } from './work.ts';
