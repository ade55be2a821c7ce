export { rewriteFile } from './sealing.ts';
export { createSqliteStore } from './store.ts';
