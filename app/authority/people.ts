import {
  isGroup,
  type Person,
  type StoredDecisionRule,
  type Thread,
  UNKNOWN_TEAM,
  type UserId,
} from '../records/index.ts';

export interface LookUp {
  /** How old the answer may be. */
  readonly oldMs?: number;
  /** About the author of a message. Look-ups for presses go first. */
  readonly isForMessage?: boolean;
}

/** Who a person is, looked up when it matters. The room that knows Slack hands this in. */
export interface People {
  /** Never rejects: a person who cannot be looked up is `unknown`, and decides nothing. */
  readonly account: (who: Who, how?: LookUp) => Promise<Account>;
  /** Never rejects: a person who cannot be looked up is in no group. */
  readonly isInGroup: (who: Who, group: string) => Promise<boolean>;
  /** Never rejects: a person who cannot be looked up is in no channel. */
  readonly isInChannel: (who: Who, channel: string) => Promise<boolean>;
  /**
   * The members of a user group (`S…`) or a channel, none for a group that does not exist. Never rejects: `undefined` when
   * Slack does not tell. The answer about a group may be `oldMs` old.
   */
  readonly members: (
    where: Pick<Thread, 'team' | 'workspace'>,
    place: string,
    oldMs?: number,
  ) => Promise<readonly UserId[] | undefined>;
}

/** Asked apart from `People`, because no yes depends on it. */
export interface Admins {
  /** Never rejects: a person who cannot be looked up is no admin. People of other organisations never are. */
  readonly isAdmin: (who: Who) => Promise<boolean>;
}

export interface Who {
  readonly user: UserId;
  /** The workspace to ask about this person. */
  readonly team: string;
  /** If that is an organisation: its workspace to look in first. */
  readonly workspace?: string | undefined;
}

/** `outsider`: a person of another organisation. `missing`: Slack says that there is no such person. `unknown`: Slack says nothing. */
export type Account = 'person' | 'guest' | 'bot' | 'deactivated' | 'outsider' | 'missing' | 'unknown';

/** Everything that the right of one person depends on, as it is now. */
export interface PersonFacts {
  readonly user: UserId;
  readonly team: string;
  readonly account: Account;
  /** The groups of the rule that the person is in. */
  readonly groups: readonly string[];
  readonly inChannel: boolean;
}

/** Asks Slack only for what the rule needs: no groups are looked up for a call that the requester decides. */
export async function factsOf(
  people: People,
  { approvers }: StoredDecisionRule,
  { user, team }: Person,
  thread: Thread,
): Promise<PersonFacts> {
  const who = { user, team: thread.team, workspace: thread.workspace };
  if (team === UNKNOWN_TEAM) return { user, team, account: 'unknown', groups: [], inChannel: false };
  // Nothing more matters about a person of another organisation.
  if (team !== thread.team) return { user, team, account: 'outsider', groups: [], inChannel: false };
  const groups = approvers.filter(isGroup);
  const [account, inChannel, ...isIn] = await Promise.all([
    people.account(who),
    approvers.some((approver) => approver === 'channel') ? people.isInChannel(who, thread.channel) : false,
    ...groups.map((group) => people.isInGroup(who, group)),
  ]);
  return { user, team, account, inChannel, groups: groups.filter((_, index) => isIn[index] === true) };
}

/**
 * The people in the groups of a rule, and in the channel if the rule names it, as far as Slack tells. A large channel
 * is left out: looking up each member takes too long, and it surely has a full member.
 */
export async function membersNamed(
  people: People,
  { approvers }: StoredDecisionRule,
  thread: Thread,
  oldMs?: number,
): Promise<ReadonlyMap<string, readonly UserId[]>> {
  const found = await Promise.all(
    approvers.map(async (approver): Promise<readonly [string, readonly UserId[]][]> => {
      if (!isGroup(approver) && approver !== 'channel') return [];
      const members = await people.members(thread, isGroup(approver) ? approver : thread.channel, oldMs);
      const able = isGroup(approver) ? members : await fullMembers(people, members, thread);
      return able === undefined ? [] : [[approver, able]];
    }),
  );
  return new Map(found.flat());
}

const MOST_LOOKED_UP = 20;

async function fullMembers(
  people: People,
  members: readonly UserId[] | undefined,
  { team, workspace }: Thread,
): Promise<readonly UserId[] | undefined> {
  if (members === undefined || members.length > MOST_LOOKED_UP) return undefined;
  const accounts = await Promise.all(members.map((user) => people.account({ user, team, workspace })));
  return members.filter((_, at) => accounts[at] === 'person' || accounts[at] === 'unknown');
}

/** Whether all authors are full members here: no guest and no outsider steers a call into trust. */
export async function areMembers(
  people: Pick<People, 'account'>,
  authors: readonly UserId[],
  { team, workspace }: Pick<Thread, 'team' | 'workspace'>,
): Promise<boolean> {
  const accounts = await Promise.all(authors.map((user) => people.account({ user, team, workspace })));
  return accounts.every((account) => account === 'person');
}

/** The same, where each of them also has to be in the channel: trust for a place is for the people of that place. */
export async function allBelong(people: People, authors: readonly UserId[], thread: Thread): Promise<boolean> {
  const { team, workspace, channel } = thread;
  const present = await Promise.all(authors.map((user) => people.isInChannel({ user, team, workspace }, channel)));
  return present.every((one) => one) && areMembers(people, authors, thread);
}
