import { z } from 'zod';
import { given } from '../given.ts';
import { readLine, WorkspaceBody } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { WorkspaceJournal } from '../recorder/index.ts';
import { UserId, type WorkspaceId } from '../records/index.ts';
import type { SecretBox } from '../secrets/index.ts';
import { type Effect, type IndexName, type Store, workspaceOf } from '../store/index.ts';

/**
 * One workspace, or one whole organisation, that the app is installed in. `team` is part of each of its threads, keys and
 * trusts: the id of the organisation if the app was installed for all of it, otherwise that of the workspace.
 */
export const Installation = z
  .object({
    team: z.string().min(1),
    isOrganisation: z.boolean(),
    name: z.string().optional(),
    token: z.string().min(1),
    bot: UserId,
    botId: z.string().optional(),
    by: UserId.optional(),
    /** Absent in an installation that an older version stored. */
    atMs: z.number().int().optional(),
  })
  .readonly();
export type Installation = z.infer<typeof Installation>;

/** Decides by the id of a workspace or an organisation whether it may install the app and use it. */
export type IsListed = (team: string) => boolean;

/** Throws if the configuration does not say which workspaces may, because any workspace on Slack could install the app. */
export function listOf(workspaces: readonly string[] | 'anybody' | undefined): IsListed {
  if (workspaces === 'anybody') return () => true;
  if (workspaces !== undefined) return (team) => workspaces.includes(team);
  throw new Error(
    'with SLACK_CLIENT_ID workspaces install the app themselves, and the configuration does not say which may. ' +
      "Add workspaces: ['T…', 'E…'] with the ids of your workspaces and organisations to the configuration file, or " +
      "workspaces: 'anybody' to let in every workspace on Slack.",
  );
}

/** Where the app is installed. Tokens are encrypted, stand in no journal, and are removed with the app. */
export interface Installations {
  readonly find: (team: string) => Promise<Installation | undefined>;
  /** The teams of all installations. One that cannot be looked up is logged and left out. */
  readonly teams: () => Promise<readonly string[]>;
  /** Replaces the former installation of this team. */
  readonly keep: (installation: Installation) => Promise<void>;
  /**
   * Removes the installation that Slack reported as removed at `toldAtS` (seconds). Where the app was installed again after
   * that, nothing is removed; Slack may repeat such a report much later.
   */
  readonly remove: (team: string, cause: string, toldAtS?: number) => Promise<Removed>;
}

/** What became of an installation: a newer one stays. */
export type Removed = 'removed' | { readonly installedAtMs: number };

export interface InstallationsDeps {
  readonly store: Pick<Store, 'members' | 'shards' | 'journals' | 'read' | 'reseal'>;
  readonly journal: Pick<WorkspaceJournal, 'append'>;
  readonly box: SecretBox;
  readonly log: Log;
}

export function createInstallations({ store, journal, box, log }: InstallationsDeps): Installations {
  const forgetting = async (index: IndexName): Promise<readonly Effect[]> =>
    (await store.members(index)).map((member) => ({ type: 'not-member', index, member }));

  const read = (team: string, secret: string): Installation =>
    Installation.parse(JSON.parse(box.decrypt(secret, placeOf(team))));

  const find = async (team: string): Promise<Installation | undefined> => {
    const [secret] = await store.members(indexOf(team));
    if (secret === undefined) return undefined;
    // After a change of DATA_KEY, an installation is encrypted with the new key when it is next used.
    await renew({ store, box }, team, secret);
    return read(team, secret);
  };

  const keep = async (installation: Installation): Promise<void> => {
    const { team, bot, by } = installation;
    const index = indexOf(team);
    const member = box.encrypt(JSON.stringify(installation), placeOf(team));
    const entry = { type: 'installed', team, bot, ...given({ by }) } as const;
    const added = await journal.append(workspaceOf(team, store.shards), entry, async () => [
      ...(await forgetting(index)),
      { type: 'member', index, member },
    ]);
    if (added === 'later')
      throw new Error(`The installation in ${team} could not be stored: too many writers at once. Try again.`);
  };

  return {
    find,
    keep,
    teams: async () => {
      const installed: string[] = [];
      for (const name of await store.journals('workspace')) {
        // One journal may be damaged, or begun by a newer version. The others are looked up all the same.
        await orLog(log.warn, 'An installed workspace could not be looked up.', { journal: name }, async () => {
          const team = await teamOf(store, name);
          if (team !== undefined && (await store.members(indexOf(team))).length > 0) installed.push(team);
        });
      }
      return installed;
    },
    remove: async (team, cause, toldAtS = Number.POSITIVE_INFINITY) => {
      const index = indexOf(team);
      const there = await store.members(index);
      if (there.length === 0) return 'removed';
      const installedAtMs = Math.max(...there.map((secret) => read(team, secret).atMs ?? 0));
      if (Math.floor(installedAtMs / 1_000) > toldAtS) return { installedAtMs };
      const added = await journal.append(workspaceOf(team, store.shards), { type: 'uninstalled', team, cause }, () =>
        forgetting(index),
      );
      if (added === 'later')
        throw new Error(
          `The installation in ${team} could not be removed: too many writers at once. It is tried again.`,
        );
      return 'removed';
    },
  };
}

/** Encrypts the tokens of all workspaces with the newest key. Answers how many were under an older one. */
export async function renewTokens(
  store: Pick<Store, 'journals' | 'read' | 'members' | 'reseal'>,
  box: SecretBox,
): Promise<number> {
  let renewed = 0;
  for (const team of await installedTeams(store)) {
    for (const secret of await store.members(indexOf(team)))
      if (await renew({ store, box }, team, secret)) renewed += 1;
  }
  return renewed;
}

/** Encrypts one installation with the newest key, if it is still stored as this secret. Answers whether it was. */
async function renew(
  { store, box }: { readonly store: Pick<Store, 'reseal'>; readonly box: SecretBox },
  team: string,
  secret: string,
): Promise<boolean> {
  if (!box.isOld(secret)) return false;
  const renewed = box.encrypt(box.decrypt(secret, placeOf(team)), placeOf(team));
  return store.reseal({ type: 'installation', index: indexOf(team) }, secret, renewed);
}

async function installedTeams(store: Pick<Store, 'journals' | 'read'>): Promise<ReadonlySet<string>> {
  const teams = new Set<string>();
  for (const journal of await store.journals('workspace')) {
    for (const { text } of (await store.read(journal)).entries) {
      const { entry } = readLine(WorkspaceBody, text);
      if (entry.type === 'installed') teams.add(entry.team);
    }
  }
  return teams;
}

/** The workspace of this journal, whose name is only a digest of it. */
async function teamOf(store: Pick<Store, 'read'>, journal: WorkspaceId): Promise<string | undefined> {
  const { entries } = await store.read(journal, 0, LIMITS.workspaceHead);
  for (const { text } of entries) {
    const { entry } = readLine(WorkspaceBody, text);
    if (entry.type === 'installed' || entry.type === 'uninstalled') return entry.team;
    if (entry.type === 'run-begun' || entry.type === 'run-sealed') return entry.thread.split(':')[0];
  }
  return undefined;
}

const indexOf = (team: string) => ({ what: 'installations', of: `${team}:` }) as const;
const placeOf = (team: string): string => `installation ${team}`;
