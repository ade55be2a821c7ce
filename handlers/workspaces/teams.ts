import type { WebClient } from '@slack/web-api';
import type { Bot } from '../payloads/index.ts';

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
  readonly bot: Bot;
  /** Milliseconds that only go up. */
  readonly elapsed?: () => number;
}

const KEPT_MS = 5 * 60_000;
/** More than can be asked one after the other while somebody waits. */
const MOST_TEAMS = 100;

export function createTeams({ client, bot, elapsed = () => performance.now() }: TeamsDeps): Teams {
  let kept: { readonly untilMs: number; readonly ids: Promise<readonly string[]> } | undefined;
  const load = async (): Promise<readonly string[]> => {
    const { teams = [] } = await client.auth.teams.list({ limit: MOST_TEAMS });
    return teams.flatMap(({ id }) => id ?? []);
  };
  const all = (): Promise<readonly string[]> => {
    if (kept !== undefined && elapsed() < kept.untilMs) return kept.ids;
    const ids = load();
    kept = { untilMs: elapsed() + KEPT_MS, ids };
    ids.catch(() => {
      kept = undefined;
    });
    return ids;
  };
  return {
    asking: async (likely) => {
      if (bot.isOrganisation !== true) return [{}];
      const ids = await all();
      // What a delivery names may be a workspace of somebody else, in a channel that is shared with them.
      const first = ids.filter((id) => id === likely);
      return [...first, ...ids.filter((id) => id !== likely)].map((team_id) => ({ team_id }));
    },
  };
}
