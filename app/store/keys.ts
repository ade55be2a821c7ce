import { hash } from 'node:crypto';
import { type ApprovalId, type JournalName, type Person, type ThreadKey, WorkspaceId } from '../records/index.ts';
import type { IndexName, StoreRecord } from './store.ts';
import type { ClaimedPainting } from './todo.ts';

/**
 * Every key of the Redis engine, and how long it lives.
 *
 * | Key                       | Type       | Holds                                            | Lives                      |
 * | ------------------------- | ---------- | ------------------------------------------------ | -------------------------- |
 * | `cs:shards`               | string     | into how many shards threads are spread          | for ever                   |
 * | `cs:sealing`              | string     | how the store is encrypted (`sealing.ts`)        | for ever                   |
 * | `cs:owner`                | string     | the bot that the store belongs to (`owner.ts`)   | for ever                   |
 * | `cs:{sNN}:r:<run>:j`      | list       | the journal of a run: `<entry id> <json>`        | until retention removes it |
 * | `cs:{sNN}:g:<trust>:j`    | list       | the journal of a trust                           | until retention removes it |
 * | `cs:{sNN}:w:<space>:j`    | list       | the journal of a workspace, or of the deployment | for ever                   |
 * | `cs:{sNN}:r:<run>:m`      | list       | items: the big things a run's entries refer to   | with the run               |
 * | `cs:{sNN}:ap:<approval>`  | string     | the run an approval belongs to                   | with the run               |
 * | `cs:{sNN}:t:<thread>`     | hash       | `run`: the current run of a thread               | while there is one         |
 * |                           |            | `deaths`: halves of deaths with it in hand       | until it gets further      |
 * |                           |            | `aside`: it waits for a person to take it up     | until then                 |
 * | `cs:{sNN}:t:<thread>:in`  | list       | inbox: a delivery's key as JSON, newline, item   | until it is in a journal   |
 * | `cs:{sNN}:seen:<key>`     | string     | that a delivery was taken, and by which caller   | `SEEN_MS`                  |
 * | `cs:{sNN}:todo`           | sorted set | thread, by the time a process must advance it    | until the thread rests     |
 * | `cs:{sNN}:hands`          | hash       | thread, and the process that has it in hand      | until the thread rests     |
 * | `cs:{sNN}:due`            | sorted set | `<what>:<subject>`, by its time                  | until an append removes it |
 * | `cs:{sNN}:paint:<what>:…` | string     | the process that paints it, a space, the state   | `LIMITS.leaseMs`           |
 * | `cs:{sNN}:home:<person>`  | string     | the process that published it, a colon, a hash   | ten minutes                |
 * | `cs:{sNN}:sync`           | string     | a mark to wait for, where `durability` needs it  | a minute                   |
 * | `cs:{sNN}:i:<what>:<of>`  | set        | an index list                                    | while it has members       |
 * | `cs:{sNN}:wake:<db>`      | channel    | hints                                            | –                          |
 *
 * NN is the shard. A whole shard has one tag, not each run: an append and the change of `due` and `todo` must be one
 * script, and in a Cluster a script may touch one slot only.
 */
export const SHARDS_KEY = 'cs:shards';
export const recordKey = (of: StoreRecord): string => `cs:${of}`;

/** Slack may repeat a delivery for a day. */
export const SEEN_MS = 25 * 60 * 60 * 1000;

/** How long a list of places is kept. It is for one day, but a run that began on that day may last for weeks. */
export const PLACES_MS = 30 * 24 * 60 * 60 * 1000;

/** Runs, approvals, inboxes and `todo` live where their thread lives. */
export function shardOfThread(thread: ThreadKey, shards: number): number {
  return shards === 1 ? 0 : stableHash(thread) % shards;
}

/** Grants and the journal of a workspace cross threads, so they live where their team lives. */
export function shardOfTeam(team: string, shards: number): number {
  return shards === 1 ? 0 : stableHash(team) % shards;
}

/** The name of a workspace's journal is a digest of the team, because its reader knows only the team. */
export function workspaceOf(team: string, shards: number): WorkspaceId {
  const digest = hash('sha256', `workspace ${team}`, 'buffer').subarray(0, 16);
  return WorkspaceId.parse(`${digits(shardOfTeam(team, shards))}w${digest.toString('base64url')}`);
}

/** The two digits that each id begins with. */
export function shardOfId(id: JournalName | ApprovalId): string {
  return id.slice(0, 2);
}

export function digits(shard: number): string {
  return `${shard}`.padStart(2, '0');
}

export const journalKey = (journal: JournalName): string =>
  `${tag(shardOfId(journal))}:${journal.slice(2, 3)}:${journal}:j`;
/** A pattern for the keys of all journals of a kind, by the third letter of their names. */
export const journalPattern = (letter: string): string => `cs:{s*}:${letter}:*:j`;
export const journalOfKey = (key: string): string => key.split(':').at(-2) ?? '';
export const itemsKey = (journal: JournalName): string => `${tag(shardOfId(journal))}:r:${journal}:m`;
export const approvalKey = (approval: ApprovalId): string => `${tag(shardOfId(approval))}:ap:${approval}`;

export const paintingKey = ({ of, what }: ClaimedPainting): string => `${tag(shardOfId(of))}:paint:${what}:${of}`;

export const homeKey = (shard: string, { team, user }: Person): string => `${tag(shard)}:home:${team}:${user}`;

export const threadKey = (shard: string, thread: ThreadKey): string => `${tag(shard)}:t:${thread}`;
export const inboxKey = (shard: string, thread: ThreadKey): string => `${tag(shard)}:t:${thread}:in`;
/** A pattern for the keys of all inboxes. */
export const INBOX_PATTERN = 'cs:{s*}:t:*:in';
export const threadOfInboxKey = (key: string): string => key.split(':').slice(3, -1).join(':');
export const seenKey = (shard: string, delivery: string): string => `${tag(shard)}:seen:${delivery}`;

export const syncKey = (shard: string): string => `${tag(shard)}:sync`;
export const todoKey = (shard: string): string => `${tag(shard)}:todo`;
export const handsKey = (shard: string): string => `${tag(shard)}:hands`;
export const dueKey = (shard: string): string => `${tag(shard)}:due`;
export const indexKey = (shard: string, index: IndexName): string => `${tag(shard)}:i:${index.what}:${index.of}`;

/** A channel of Redis belongs to no database, so its name holds the number of the database. */
export const wakeChannel = (shard: string, database: number): string => `${tag(shard)}:wake:${database}`;

/**
 * The shards that keep an index list. Grants, places and installations are in the shard of their team, with which the
 * name begins (`<team>:…`). Other lists are kept in parts: each shard lists its own runs.
 */
export function shardsOfIndex(index: IndexName, shards: number): readonly string[] {
  if (ofTeam(index)) return [digits(shardOfTeam(teamOf(index.of), shards))];
  return allShards(shards);
}

/** True for a list that all threads of a team share. */
export function ofTeam({ what }: IndexName): boolean {
  return what === 'grants' || what === 'installations' || what === 'places';
}

export function allShards(shards: number): readonly string[] {
  return Array.from({ length: shards }, (_, shard) => digits(shard));
}

function teamOf(scope: string): string {
  const [team = '', ...rest] = scope.split(':');
  if (rest.length > 0) return team;
  throw new Error(`The index of trusts '${scope}' names no team, so its shard is not known. Begin it with '<team>:'.`);
}

function tag(shard: string): string {
  return `cs:{s${shard}}`;
}

/** A change here moves threads to other shards, and what is stored is not found again. */
function stableHash(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE(0);
}
