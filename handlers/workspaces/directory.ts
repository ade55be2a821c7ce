import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { given } from '../../app/given.ts';
import { UserId } from '../../app/records/index.ts';
import type { FoundPerson } from '../../app/tools/index.ts';
import type { SlackAccount } from './belonging.ts';
import { createCache } from './cache.ts';
import type { OfTeam, Teams } from './teams.ts';

export type Known = FoundPerson & { readonly handle: string; readonly account: SlackAccount };

const Member = z.object({
  id: UserId,
  name: z.string().default(''),
  deleted: z.boolean().default(false),
  is_bot: z.boolean().default(false),
  is_restricted: z.boolean().default(false),
  is_ultra_restricted: z.boolean().default(false),
  is_stranger: z.boolean().optional(),
  team_id: z.string().optional(),
  enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional(),
  tz: z.string().optional(),
  profile: z.object({ real_name: z.string().optional(), title: z.string().optional() }).default({}),
});

const KEPT_MS = 5 * 60_000;
const PAGE = 200;
const MOST_PAGES = 25;

/** The people of a workspace, asked for at most every few minutes. Where the workspace is unknown, the people of all. */
export function createDirectory(
  client: WebClient,
  teams: Teams,
): (workspace: string | undefined) => Promise<readonly Known[]> {
  const kept = createCache<readonly Known[]>(KEPT_MS);
  const load = async (asked: readonly OfTeam[]): Promise<readonly Known[]> => {
    const found = new Map<string, Known>();
    let pages = 0;
    for (const team of asked) {
      let cursor: string | undefined;
      do {
        const next = given({ cursor });
        const answer = await client.users.list({ limit: PAGE, ...team, ...next });
        for (const member of answer.members ?? []) {
          const read = Member.safeParse(member);
          if (read.success) found.set(read.data.id, personOf(read.data));
        }
        cursor = answer.response_metadata?.next_cursor || undefined;
        pages += 1;
      } while (cursor !== undefined && pages < MOST_PAGES);
      if (pages >= MOST_PAGES) break;
    }
    return [...found.values()];
  };
  return async (workspace) => {
    const all = await teams.asking(workspace);
    const asked = all.filter(({ team_id }) => team_id === workspace);
    const name = asked.length === 0 ? '' : (workspace ?? '');
    return kept(name, () => load(asked.length === 0 ? all : asked));
  };
}

function personOf(account: z.infer<typeof Member>): Known {
  const { id, name, deleted, is_bot, is_restricted, is_ultra_restricted, tz, profile } = account;
  const guest = is_restricted || is_ultra_restricted;
  return {
    id,
    handle: name.toLowerCase(),
    name: profile.real_name || name || id,
    title: profile.title || undefined,
    timeZone: tz,
    kind: deleted ? 'deactivated' : is_bot ? 'bot' : guest ? 'guest' : 'person',
    account,
  };
}
