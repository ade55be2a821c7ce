import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import type { ApprovalId } from '../../app/records/index.ts';
import { NotInstalledError } from '../../app/surface.ts';
import { keepNewest } from '../../app/time/index.ts';
import type { Installation, Installations, IsListed } from '../../app/workspaces/index.ts';
import { readSubject, readTeams } from '../payloads/index.ts';
import { createSlackClient } from './client.ts';
import type { Workspace, Workspaces } from './workspaces.ts';

export interface ManyWorkspacesDeps {
  readonly installations: Pick<Installations, 'find' | 'teams' | 'remove'>;
  /** Which workspaces the configuration lets in. */
  readonly isListed: IsListed;
  /** The workspace of the thread that an approval stands in. */
  readonly teamOfApproval: (id: ApprovalId) => Promise<string | undefined>;
  readonly apiUrl?: string | undefined;
  /** No other process writes to these workspaces. */
  readonly isAlone?: boolean | undefined;
  readonly log: Log;
  readonly now?: () => number;
}

/** What the log tells the people who run the bot. */
export const UNLISTED = 'To serve this workspace, add its id to workspaces in the configuration and restart.';

/** How long an installation is believed to be there. Another process may have learned that it was removed. */
const BELIEVED_MS = 5_000;
const MOST_KEPT = 5_000;

interface Kept {
  readonly installation: Installation;
  readonly workspace: Workspace;
  believedUntilMs: number;
}

/** Every workspace that installed the app. A client is made from its own token alone, and kept while the token is the same. */
export function createManyWorkspaces({
  installations,
  isListed,
  teamOfApproval,
  apiUrl,
  isAlone,
  log,
  now = () => performance.now(),
}: ManyWorkspacesDeps): Workspaces {
  const kept = new Map<string, Kept>();

  const make = (installation: Installation): Workspace => {
    const { token, team, bot, botId, isOrganisation } = installation;
    return {
      bot: { team_id: team, user_id: bot, isOrganisation, ...given({ bot_id: botId }) },
      client: createSlackClient({ botToken: token, apiUrl, isAlone }, log),
    };
  };

  const of = async (team: string): Promise<Workspace | undefined> => {
    const known = kept.get(team);
    if (known !== undefined && known.believedUntilMs > now()) return known.workspace;
    // The store may be out of reach. A person waits for an answer, so the last known installation is used.
    const installation = await installations.find(team).catch((error: unknown) => {
      if (known === undefined) throw error;
      return known.installation;
    });
    if (installation === undefined) {
      kept.delete(team);
      return undefined;
    }
    // Another look-up may have made the client meanwhile, and two would not know of each other's calls.
    const made = kept.get(team) ?? known;
    const workspace = made?.installation.token === installation.token ? made.workspace : make(installation);
    keepNewest(kept, team, { installation, workspace, believedUntilMs: now() + BELIEVED_MS }, MOST_KEPT);
    return workspace;
  };

  return {
    open: async () => {},
    of,
    ofDelivery: async (body) => {
      const subject = readSubject(body);
      const own = subject === undefined ? undefined : await teamOfApproval(subject);
      for (const team of own === undefined ? readTeams(body) : [own]) {
        const workspace = isListed(team) ? await of(team) : undefined;
        if (workspace !== undefined) return workspace;
      }
      return undefined;
    },
    installed: async () => (await installations.teams()).filter(isListed),
    unlisted: (body) => {
      const teams = readTeams(body);
      return teams.some(isListed) ? undefined : teams[0];
    },
    remove: async (team, cause, toldAtS) => {
      const result = await installations.remove(team, cause, toldAtS);
      if (result !== 'removed') {
        // The one kept here may be from before the new installation.
        kept.delete(team);
        return result;
      }
      // A caller may still hold the old client and be about to send with it.
      const sender = kept.get(team)?.workspace.client.sender;
      sender?.shut(new NotInstalledError(team));
      kept.delete(team);
      return 'removed';
    },
    drain: async () => {
      await Promise.all([...kept.values()].map(({ workspace }) => workspace.client.sender.drain()));
    },
  };
}
