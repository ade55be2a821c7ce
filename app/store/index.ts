export { checkAppend } from './check.ts';
export { dueWord, readDueWord } from './due.ts';
export { DURABILITIES, type Durability } from './durability.ts';
export { StoreSetupError, StoreUnavailableError } from './errors.ts';
export { newId, runIdFor } from './ids.ts';
export {
  approvalKey,
  dueKey,
  inboxKey,
  indexKey,
  itemsKey,
  journalKey,
  SHARDS_KEY,
  shardOfId,
  shardOfTeam,
  shardOfThread,
  syncKey,
  threadKey,
  todoKey,
  wakeChannel,
  workspaceOf,
} from './keys.ts';
export { letterOf, readNames } from './names.ts';
export { openStore } from './open.ts';
export { isSealed } from './sealed.ts';
export type {
  AppendAnswer,
  AppendRequest,
  DueItem,
  Effect,
  Hint,
  HintListener,
  IndexName,
  JournalPage,
  RunRemains,
  Store,
  StoreHealth,
} from './store.ts';
