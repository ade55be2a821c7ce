export type * from './messages.ts';
export { unreachable } from './unreachable.ts';
