export { DURABILITIES, type Durability } from './durability.ts';
export { StoreUnavailableError } from './errors.ts';
export { newEntryId, newId, runIdFor } from './ids.ts';
export { shardOfTeam, shardOfThread, workspaceOf } from './keys.ts';
export { openStore } from './open.ts';
export { placeOf } from './place.ts';
export { openToRotate, type Rotation } from './rotate.ts';
export { isSealed } from './sealed-text.ts';
export type {
  AppendAnswer,
  AppendRequest,
  DueItem,
  Effect,
  Hint,
  IndexName,
  JournalPage,
  RunRemains,
  Store,
  Taking,
  ThreadRecord,
} from './store.ts';
