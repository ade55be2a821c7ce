export { assemble, type Core } from './assemble.ts';
