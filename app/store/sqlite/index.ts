export { makeFolder } from './private-files.ts';
export { rewriteFile } from './sealing.ts';
export { createSqliteStore } from './store.ts';
