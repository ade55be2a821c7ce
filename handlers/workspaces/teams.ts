import type { WebClient } from '@slack/web-api';
import type { BotPayload } from '../payloads/index.ts';
import { createCache } from './cache.ts';

/**
 * A token for a whole organisation does not say which of its workspaces is meant, so some methods want to be told. Where
 * the token is of one workspace, they are told nothing.
 */
export interface Teams {
  /** What to ask with, one after the other: the workspace that is likely meant first, if the app is there. */
  readonly asking: (likely: string | undefined) => Promise<readonly OfTeam[]>;
}

export interface OfTeam {
  readonly team_id?: string;
}

export interface TeamsDeps {
  readonly client: Pick<WebClient, 'auth'>;
  readonly bot: BotPayload;
  /** Milliseconds that only go up. */
  readonly elapsed?: () => number;
}

const KEPT_MS = 5 * 60_000;
/** More than can be asked one after the other while somebody waits. */
const MOST_TEAMS = 100;

export function createTeams({ client, bot, elapsed }: TeamsDeps): Teams {
  const kept = createCache<readonly string[]>(KEPT_MS, elapsed);
  const load = async (): Promise<readonly string[]> => {
    const { teams = [] } = await client.auth.teams.list({ limit: MOST_TEAMS });
    return teams.flatMap(({ id }) => id ?? []);
  };
  return {
    asking: async (likely) => {
      if (bot.isOrganisation !== true) return [{}];
      const ids = await kept('all', load);
      // What a delivery names may be a workspace of somebody else, in a channel that is shared with them.
      const first = ids.filter((id) => id === likely);
      return [...first, ...ids.filter((id) => id !== likely)].map((team_id) => ({ team_id }));
    },
  };
}
