import { z } from 'zod';
import { UserId } from './records.ts';
import type { SecretBox } from './secret-box.ts';
import { workspaceOf } from './store/keys.ts';
import type { Effect, IndexName, Store } from './store/store.ts';
import type { WorkspaceJournal } from './workspace-journal.ts';

/**
 * One workspace, or one whole organisation, that the app is installed in. `team` is what every thread, key and trust of it
 * carries: the id of the organisation where the app was installed for all of it, that of the workspace otherwise.
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
  })
  .readonly();
export type Installation = z.infer<typeof Installation>;

/** Where the app is installed. Tokens are encrypted, stand in no journal, and are gone when the app is. */
export interface Installations {
  readonly find: (team: string) => Promise<Installation | undefined>;
  /** Takes the place of what was there for this team. */
  readonly keep: (installation: Installation) => Promise<void>;
  readonly remove: (team: string, cause: string) => Promise<void>;
}

export interface InstallationsDeps {
  readonly store: Pick<Store, 'members' | 'shards'>;
  readonly journal: Pick<WorkspaceJournal, 'append'>;
  readonly box: SecretBox;
}

export function createInstallations({ store, journal, box }: InstallationsDeps): Installations {
  const forgetting = async (index: IndexName): Promise<readonly Effect[]> =>
    (await store.members(index)).map((member) => ({ type: 'not-member', index, member }));

  const find = async (team: string): Promise<Installation | undefined> => {
    const [secret] = await store.members(indexOf(team));
    if (secret === undefined) return undefined;
    const found = Installation.parse(JSON.parse(box.decrypt(secret, placeOf(team))));
    // With a new key in front, what the old one wrote is written anew when it is next used.
    if (box.isOld(secret)) await keep(found);
    return found;
  };

  const keep = async (installation: Installation): Promise<void> => {
    const { team, bot, by } = installation;
    const index = indexOf(team);
    const member = box.encrypt(JSON.stringify(installation), placeOf(team));
    const entry = { type: 'installed', team, bot, ...(by === undefined ? {} : { by }) } as const;
    const added = await journal.append(workspaceOf(team, store.shards), entry, async () => [
      ...(await forgetting(index)),
      { type: 'member', index, member },
    ]);
    if (added === 'later') throw new Error(`The installation in ${team} could not be kept: too many write. Try again.`);
  };

  return {
    find,
    keep,
    remove: async (team, cause) => {
      const index = indexOf(team);
      if ((await store.members(index)).length === 0) return;
      const added = await journal.append(workspaceOf(team, store.shards), { type: 'uninstalled', team, cause }, () =>
        forgetting(index),
      );
      if (added === 'later') throw new Error(`The installation in ${team} could not be removed. It is tried again.`);
    },
  };
}

const indexOf = (team: string): IndexName => ({ what: 'installations', of: `${team}:` });
const placeOf = (team: string): string => `installation ${team}`;
