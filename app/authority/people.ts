import type { StoredDecisionRule, Thread, UserId } from '../records/index.ts';

/** Who somebody is, looked up when it matters. Handed in by whoever knows the place people talk in. */
export interface People {
  /** Never rejects: who cannot be looked up is `unknown`, and decides nothing. */
  readonly account: (who: Who) => Promise<Account>;
  /** Never rejects: who cannot be looked up is in no group. */
  readonly isInGroup: (who: Who, group: string) => Promise<boolean>;
  /** Never rejects: who cannot be looked up is in no channel. */
  readonly isInChannel: (who: Who, channel: string) => Promise<boolean>;
  /** The members of a user group (`S…`) or a channel. Never rejects: `undefined` where they cannot be looked up. */
  readonly members: (
    where: Pick<Thread, 'team' | 'workspace'>,
    place: string,
  ) => Promise<readonly UserId[] | undefined>;
}

export interface Person {
  readonly user: UserId;
  readonly team: string;
}

export interface Who {
  readonly user: UserId;
  /** The workspace that is asked about them. */
  readonly team: string;
  /** Where that is an organisation: the workspace of it to look in first. */
  readonly workspace?: string | undefined;
}

/** `outsider`: belongs to another organisation. */
export type Account = 'person' | 'guest' | 'bot' | 'deactivated' | 'outsider' | 'unknown';

/** A person whose team neither the delivery nor Slack names. They decide nothing, and are no stranger either. */
export const UNKNOWN_TEAM = 'unknown';

/** Everything the right of one person depends on, as it is now. */
export interface PersonFacts {
  readonly user: UserId;
  readonly team: string;
  readonly account: Account;
  /** Those of the rule's groups that they are in. */
  readonly groups: readonly string[];
  readonly inChannel: boolean;
}

/** Asks only for what the rule needs: nobody's groups are looked up for a call that the requester decides. */
export async function factsOf(
  people: People,
  rule: StoredDecisionRule,
  { user, team }: Person,
  thread: Thread,
): Promise<PersonFacts> {
  const who = { user, team: thread.team, workspace: thread.workspace };
  if (team === UNKNOWN_TEAM) return { user, team, account: 'unknown', groups: [], inChannel: false };
  // Of somebody from elsewhere there is nothing more to know.
  if (team !== thread.team) return { user, team, account: 'outsider', groups: [], inChannel: false };
  const approvers = [...new Set([...rule.approvers, ...(rule.stages ?? []).flatMap((stage) => stage.approvers)])];
  const groups = approvers.filter(isGroup);
  const [account, inChannel, ...isIn] = await Promise.all([
    people.account(who),
    approvers.some((approver) => approver === 'channel') ? people.isInChannel(who, thread.channel) : false,
    ...groups.map((group) => people.isInGroup(who, group)),
  ]);
  return { user, team, account, inChannel, groups: groups.filter((_, index) => isIn[index] === true) };
}

/**
 * The people behind the groups of a rule, and behind its word `channel`, as far as Slack says. A large channel is left
 * out, because looking up each member takes too long and some full member is there.
 */
export async function membersNamed(
  people: People,
  { approvers, stages = [] }: StoredDecisionRule,
  thread: Thread,
): Promise<ReadonlyMap<string, readonly UserId[]>> {
  const named = [...new Set([...approvers, ...stages.flatMap((stage) => stage.approvers)])];
  const found = await Promise.all(
    named.map(async (approver): Promise<readonly [string, readonly UserId[]][]> => {
      if (!isGroup(approver) && approver !== 'channel') return [];
      const members = await people.members(thread, isGroup(approver) ? approver : thread.channel);
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

/** Trust in a place reaches what its own members start there, so no guest and no outsider can steer a call into it. */
export async function allBelong(
  people: People,
  authors: readonly UserId[],
  { team, workspace, channel }: Thread,
): Promise<boolean> {
  const belong = await Promise.all(
    authors.map(async (user) => {
      const who = { user, team, workspace };
      return (await people.account(who)) === 'person' && (await people.isInChannel(who, channel));
    }),
  );
  return belong.every((one) => one);
}

/** Slack's ids of user groups begin with this letter, and those of people with others. */
export function isGroup(approver: string): boolean {
  return approver.startsWith('S');
}
