export type { DueItem } from './due.ts';
export { StoreUnavailableError } from './errors.ts';
export { newEntryId, newId, runIdFor, trustIdFor } from './ids.ts';
export { shardOfTeam, shardOfThread, workspaceOf } from './keys.ts';
export { openStore } from './open.ts';
export type { Owner } from './owner.ts';
export { placeOf } from './place.ts';
export { openToRotate, type Rotation } from './rotate.ts';
export { isSealed } from './sealed-text.ts';
export { makeFolder } from './sqlite/index.ts';
export {
  type AppendAnswer,
  type AppendRequest,
  DURABILITIES,
  type Durability,
  type Effect,
  type Hint,
  type IndexName,
  type JournalPage,
  type RunRemains,
  type Store,
  type Taking,
} from './store.ts';
export type { ClaimedPainting, HomeClaim, HomeClaims, HomeShows, ThreadRecord } from './todo.ts';
