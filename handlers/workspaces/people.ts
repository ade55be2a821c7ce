import type { WebClient } from '@slack/web-api';
import type { Account, Admins, People } from '../../app/authority/index.ts';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import { isGroup, UserId } from '../../app/records/index.ts';
import { forMessage, isSlackError } from '../sender/index.ts';
import { accountOf } from './belonging.ts';
import { createCache, MOST_CACHED } from './cache.ts';
import type { Teams } from './teams.ts';

export interface PeopleDeps {
  readonly client: WebClient;
  readonly teams: Teams;
  readonly log: Log;
  /** Milliseconds that only go up. */
  readonly elapsed: () => number;
}

/** Long enough for the presses on one card, short enough that taking a person off a list works soon. */
const KEPT_MS = 5_000;
const PAGE = 200;
const MOST_PAGES = 50;

/** Asks Slack who people are, at the press. A missing answer counts as a no. */
export function createPeople({ client, teams, log, elapsed }: PeopleDeps): People & Admins {
  const accounts = createCache<Account>(KEPT_MS, elapsed);
  const groups = createCache<ReadonlySet<string>>(KEPT_MS, elapsed);
  // Apart from `groups`: a press is judged by what Slack says after the question was asked.
  const lists = createCache<ReadonlySet<string>>(KEPT_MS, elapsed);
  const channels = createCache<ReadonlySet<string>>(KEPT_MS, elapsed);

  const account = async (user: string, team: string, isForMessage = false): Promise<Account> => {
    const answer = await client.users.info(isForMessage ? forMessage({ user }) : { user }).catch(noSuchPerson);
    if (answer === 'missing') return answer;
    return answer.user === undefined ? 'unknown' : accountOf({ ...answer.user, id: user }, team);
  };
  const isAdmin = async (user: string, team: string): Promise<boolean> => {
    const { user: found } = await client.users.info({ user });
    if (found === undefined || accountOf({ ...found, id: user }, team) !== 'person') return false;
    return found.is_admin === true || found.is_owner === true;
  };
  /** The workspace of an organisation in which a group was found, as most groups are asked for again. */
  const homes = new Map<string, string>();
  const membersOfGroup = async (usergroup: string, workspace?: string): Promise<ReadonlySet<string>> => {
    for (const team of await teams.asking(homes.get(usergroup) ?? workspace)) {
      // Slack refuses a group that belongs to another workspace of the organisation.
      const there = await client.usergroups.users.list({ usergroup, ...team }).catch(notThere);
      if (there === undefined) continue;
      if (homes.size >= MOST_CACHED) homes.clear();
      if (team.team_id !== undefined) homes.set(usergroup, team.team_id);
      return new Set(there.users);
    }
    // The look at all approvers warns of it; several workspaces may share a configuration that names a group of one.
    log.debug('There is no such user group where the app is installed.', { usergroup });
    return NO_MEMBERS;
  };
  const membersOfChannel = async (channel: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for await (const members of memberPages(client, channel)) for (const user of members) found.add(user);
    if (found.size >= PAGE * MOST_PAGES)
      log.warn('A channel has more members than are read, and the others have no say.', { channel, read: found.size });
    return found;
  };
  const inGroup = (team: string, group: string, workspace?: string) =>
    groups(`${team} ${group}`, () => membersOfGroup(group, workspace));
  const inChannel = (team: string, channel: string) => channels(`${team} ${channel}`, () => membersOfChannel(channel));

  const orNo = async <Value, No>(what: string, answer: Promise<Value>, no: No): Promise<Value | No> =>
    // Slack may be out of reach. A person it says nothing about has no say.
    answer.catch((error: unknown) => {
      log.warn('Slack did not say who a person is, so this person has no say.', { what, error });
      return no;
    });

  return {
    account: ({ user, team }, { oldMs, isForMessage } = {}) => {
      const look = () => account(user, team, isForMessage);
      const found = accounts(`${team} ${user}`, look, { oldMs, isPatient: isForMessage });
      return orNo('account', found, 'unknown');
    },
    isAdmin: ({ user, team }) => orNo('admin', isAdmin(user, team), false),
    isInGroup: async ({ user, team, workspace }, group) =>
      (await orNo('group', inGroup(team, group, workspace), NO_MEMBERS)).has(user),
    isInChannel: async ({ user, team }, channel) =>
      (await orNo('channel', inChannel(team, channel), NO_MEMBERS)).has(user),
    members: async ({ team, workspace }, place, oldMs) => {
      const found = isGroup(place)
        ? lists(`${team} ${place}`, () => membersOfGroup(place, workspace), { oldMs })
        : inChannel(team, place);
      const members = await orNo('members', found, undefined);
      return members === undefined ? undefined : [...members].map((user) => UserId.parse(user));
    },
  };
}

/** The members of a channel, page by page. */
export async function* memberPages(client: WebClient, channel: string): AsyncGenerator<readonly string[]> {
  for (let cursor: string | undefined, page = 0; page < MOST_PAGES; page += 1) {
    const answer = await client.conversations.members({ channel, limit: PAGE, ...given({ cursor }) });
    yield answer.members ?? [];
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return;
  }
}

/** Throws any other error than that there is no such person. */
function noSuchPerson(error: unknown): 'missing' {
  if (isSlackError(error, 'user_not_found')) return 'missing';
  throw error;
}

/** Gives `undefined` where this workspace does not know the group. Throws any other error. */
function notThere(error: unknown): undefined {
  if (!isSlackError(error, 'no_such_subteam')) throw error;
}

const NO_MEMBERS: ReadonlySet<string> = new Set();
