import { StoreSetupError, waitedFor } from './errors.ts';
import { recordKey, workspaceOf } from './keys.ts';
import type { Store } from './store.ts';

/** A bot as its store knows it: the user of a bot token in its workspace, or an app that workspaces install themselves. */
export type Owner = { readonly team: string; readonly user: string } | { readonly clientId: string };

type OwnedStore = Pick<Store, 'record' | 'writeRecord' | 'journals' | 'members' | 'read' | 'shards' | 'isExclusive'>;

/**
 * Writes down that the store belongs to this bot, if it has no owner yet. Rejects where it belongs to another one: a bot ends
 * the runs of workspaces that it does not know. Nothing else may be written before.
 */
export async function settleOwner(store: OwnedStore, owner: Owner): Promise<void> {
  const own = wordOf(owner);
  const there = await store.record('owner');
  if (there === undefined) {
    if ('team' in owner && (await isOfOthers(store, owner.team))) throw notOurs(store, 'of another workspace', own);
    const isWritten = await store.writeRecord('owner', own, undefined).catch((error: unknown) => {
      // A store that refuses to write lets the bot start as well. A later look writes the record.
      waitedFor(error);
      return true;
    });
    // Another process may be faster. The record that stands then is read.
    if (!isWritten) await settleOwner(store, owner);
    return;
  }
  if (there === own) return;
  const isOfTeam = 'team' in owner && there.endsWith(`:${owner.team}`);
  // Two bots of one workspace never run on one file at the same time, so a new one may follow there.
  if (!(isOfTeam && store.isExclusive)) throw notOurs(store, nameOf(there), own, isOfTeam ? FOLLOWS : '');
}

/** A store of an older version has no owner on record, but its runs, and a journal of each of its workspaces. */
async function isOfOthers(store: OwnedStore, team: string): Promise<boolean> {
  if ((await store.read(workspaceOf(team, store.shards), 0, 1)).version > 0) return false;
  // The first run of this workspace has begun, and its journal does not have that yet.
  if ((await store.members({ what: 'threads', of: team })).length > 0) return false;
  return (await store.journals('run')).length > 0;
}

function wordOf(owner: Owner): string {
  return 'team' in owner ? `${owner.user}:${owner.team}` : owner.clientId;
}

function nameOf(word: string): string {
  return word.includes(':') ? word.replace(':', ' of ') : `of SLACK_CLIENT_ID ${word}`;
}

const FOLLOWS = ` If this bot takes the place of that one, stop that one for good and remove the key ${recordKey('owner')}.`;

function notOurs({ isExclusive }: OwnedStore, there: string, own: string, follows = ''): StoreSetupError {
  const place = isExclusive ? 'DATA_DIR to a folder' : 'REDIS_URL to a database';
  return new StoreSetupError(
    `This store belongs to the bot ${there}, and this is the bot ${nameOf(own)}. On one store, they would take each ` +
      `other's threads and end them. Set ${place} of its own.${follows}`,
  );
}
