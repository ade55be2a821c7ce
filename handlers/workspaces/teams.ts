import type { WebClient } from '@slack/web-api';
import type { BotPayload } from '../payloads/index.ts';
import { createCache } from './cache.ts';

/**
 * Which workspace to name in a call. The token of a whole organisation does not say which of its workspaces is meant, so
 * some methods have to be told. The token of one workspace says it.
 */
export interface Teams {
  /** What to ask with, one after the other. The workspace that is likely meant comes first, if the app is there. */
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
/** More than can be asked one after the other while a person waits. */
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
      // In a shared channel, a delivery may name a workspace of another company.
      const first = ids.filter((id) => id === likely);
      return [...first, ...ids.filter((id) => id !== likely)].map((team_id) => ({ team_id }));
    },
  };
}
