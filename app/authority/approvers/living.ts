import { type Approval, isGroup, type StoredDecisionRule, UserId } from '../../records/index.ts';
import { type Account, membersNamed, type People } from '../people.ts';
import { type KnownOfCall, seatPeople, whyNoApprover } from './possible.ts';

/** A call of which no person can approve. */
export interface NoApprover {
  /** For the end of a sentence. */
  readonly why: string;
  /** People could approve it if they had not written in the thread. */
  readonly isSteered: boolean;
}

/** Groups of more people than this are not all looked up: one of them is surely able to approve. */
const MOST_LOOKED_UP = 20;
/** Slack answers few questions about groups, so one that had an able member lately is not asked about. */
const LATELY_MS = 60 * 60 * 1000;

/**
 * Why no person can approve this call, by who they are now. Looks up only as many people as the rule needs, and the others when
 * one of those cannot approve. A person or a group that Slack does not tell about counts as able: Slack may tell later.
 */
export async function whyNoApproverNow(
  people: People,
  { rule, effect }: RuleOfCall,
  call: SteeredCall,
): Promise<NoApprover | undefined> {
  const lacks = (facts: Facts): NoApprover | undefined => {
    const { alsoSteeredBy, ...unsteered } = { ...call, ...facts };
    const why = whyNoApprover(rule, effect, { ...unsteered, alsoSteeredBy });
    if (why === undefined) return undefined;
    return { why, isSteered: whyNoApprover(rule, effect, unsteered) === undefined };
  };
  // The rule alone may say it, and then no person is looked up.
  const byRule = lacks({});
  if (byRule !== undefined) return byRule;
  const lately = await whoCould(people, { rule, effect }, call, LATELY_MS);
  return lately === 'enough' ? undefined : lacks(lately);
}

export interface RuleOfCall {
  readonly rule: StoredDecisionRule;
  readonly effect: 'asked' | 'guarded';
}

export type SteeredCall = Pick<Approval, 'requester' | 'alsoSteeredBy' | 'thread'>;
type Facts = Pick<KnownOfCall, 'members' | 'accounts'>;

/** Looks people up until enough of them can approve, or until it is known that too few can. */
async function whoCould(
  people: People,
  { rule, effect }: RuleOfCall,
  call: SteeredCall,
  oldMs?: number,
): Promise<Facts | 'enough'> {
  const { requester, alsoSteeredBy, thread } = call;
  const steered = !rule.selfApproval && alsoSteeredBy.length > 0;
  const members = await membersNamed(people, steered ? rule : withoutChannel(rule), thread, oldMs);
  const accounts = new Map<string, Account>();
  while (accounts.size <= MOST_LOOKED_UP) {
    const seated = seatPeople(rule, effect, { requester, alsoSteeredBy, members, accounts });
    if (seated === undefined) {
      const isOld = oldMs !== undefined && members.size > 0;
      return isOld ? whoCould(people, { rule, effect }, call) : { members, accounts };
    }
    const unknown = seated.filter((person) => !accounts.has(person)).map((person) => UserId.parse(person));
    if (unknown.length === 0) return 'enough';
    const { team, workspace } = thread;
    const found = await Promise.all(unknown.map((user) => people.account({ user, team, workspace })));
    for (const [at, user] of unknown.entries()) accounts.set(user, found[at] ?? 'unknown');
  }
  return 'enough';
}

/** A channel may have thousands of members, so it is read only to find out whether all of them steered a call. */
function withoutChannel(rule: StoredDecisionRule): StoredDecisionRule {
  return { ...rule, approvers: rule.approvers.filter(isGroup) };
}
