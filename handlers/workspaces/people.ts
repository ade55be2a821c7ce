import type { WebClient } from '@slack/web-api';
import type { Account, People } from '../../app/authority/index.ts';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import { UserId } from '../../app/records/index.ts';
import { isSlackError } from '../sender/index.ts';
import { accountOf } from './belonging.ts';
import type { Teams } from './teams.ts';

export interface PeopleDeps {
  readonly client: WebClient;
  readonly teams: Teams;
  readonly log: Log;
  /** Milliseconds that only go up. */
  readonly elapsed: () => number;
}

/** Long enough for the presses on one card, short enough that whoever was taken off a list notices. */
const KEPT_MS = 5_000;
/** A cache without a bound is a leak. */
const MOST_KEPT = 500;
const PAGE = 200;
const MOST_PAGES = 50;

/** Who people are, asked of Slack at the press. What Slack does not say is not guessed: it is a no. */
export function createPeople({ client, teams, log, elapsed }: PeopleDeps): People {
  const accounts = createCache<Account>(elapsed);
  const groups = createCache<ReadonlySet<string>>(elapsed);
  const channels = createCache<ReadonlySet<string>>(elapsed);

  const account = async (user: string, team: string): Promise<Account> => {
    const { user: found } = await client.users.info({ user });
    return found === undefined ? 'unknown' : accountOf({ ...found, id: user }, team);
  };
  /** In which workspace of an organisation a group was found: most are asked for again and again. */
  const homes = new Map<string, string>();
  const membersOfGroup = async (usergroup: string, workspace?: string): Promise<ReadonlySet<string>> => {
    for (const team of await teams.asking(homes.get(usergroup) ?? workspace)) {
      const there = await client.usergroups.users.list({ usergroup, ...team }).catch(notThere);
      if (there === undefined) continue;
      if (homes.size >= MOST_KEPT) homes.clear();
      if (team.team_id !== undefined) homes.set(usergroup, team.team_id);
      return new Set(there.users);
    }
    throw new Error(
      `There is no user group ${usergroup} where the app is installed. Correct its id in the configuration.`,
    );
  };
  const membersOfChannel = async (channel: string): Promise<ReadonlySet<string>> => {
    const found: string[] = [];
    for (let cursor: string | undefined, page = 0; page < MOST_PAGES; page += 1) {
      const next = given({ cursor });
      const answer = await client.conversations.members({ channel, limit: PAGE, ...next });
      found.push(...(answer.members ?? []));
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
    return new Set(found);
  };

  const orNo = async <Value>(what: string, answer: Promise<Value>, no: Value): Promise<Value> =>
    answer.catch((error: unknown) => {
      log.warn('Slack did not say who somebody is, so they have no say.', { what, error });
      return no;
    });

  return {
    account: ({ user, team }) =>
      orNo(
        'account',
        accounts(`${team} ${user}`, () => account(user, team)),
        'unknown',
      ),
    isInGroup: async ({ user, team, workspace }, group) =>
      (
        await orNo(
          'group',
          groups(`${team} ${group}`, () => membersOfGroup(group, workspace)),
          NOBODY,
        )
      ).has(user),
    isInChannel: async ({ user, team }, channel) =>
      (
        await orNo(
          'channel',
          channels(`${team} ${channel}`, () => membersOfChannel(channel)),
          NOBODY,
        )
      ).has(user),
    members: async ({ team, workspace }, place) => {
      const key = `${team} ${place}`;
      const found = place.startsWith('S')
        ? groups(key, () => membersOfGroup(place, workspace))
        : channels(key, () => membersOfChannel(place));
      const members = await orNo<ReadonlySet<string> | undefined>('members', found, undefined);
      return members === undefined ? undefined : [...members].map((user) => UserId.parse(user));
    },
  };
}

/** Another workspace may know the group; any other refusal is an answer. */
function notThere(error: unknown): undefined {
  if (!isSlackError(error, 'no_such_subteam')) throw error;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Remembers answers for a moment, and never a failure. */
function createCache<Value>(elapsed: () => number) {
  const kept = new Map<string, { readonly untilMs: number; readonly value: Promise<Value> }>();
  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(key);
    if (known !== undefined && elapsed() < known.untilMs) return known.value;
    if (kept.size >= MOST_KEPT) kept.clear();
    const value = load();
    kept.set(key, { untilMs: elapsed() + KEPT_MS, value });
    value.catch(() => kept.delete(key));
    return value;
  };
}
