export { createLate, type LateParts } from './late.ts';
export { type Opened, type OpeningParts, open } from './open.ts';
