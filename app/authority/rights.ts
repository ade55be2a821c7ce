import { type MayNotDecide, mayDecide } from '../../interventions/index.ts';
import { given } from '../given.ts';
import { type AskedApproval, askedUnder, barredFrom, judgedAlike, stagesOf } from '../journal/index.ts';
import {
  type Approval,
  isGroup,
  isLookedUp,
  type Person,
  type Stage,
  type StoredDecisionRule,
  type UserId,
} from '../records/index.ts';
import { toolNow } from '../tools/index.ts';
import { type AuthorityContext, readInput } from './context.ts';
import { factsOf, type People, type PersonFacts } from './people.ts';
import type { JudgedCall, Judgement } from './policy/policy.ts';

/** Whether this person may decide about this call now, stage by stage. A pure function of the library judges one stage. */

export type Right =
  /** The positions of the stages in which the person may decide. */
  | { readonly type: 'allowed'; readonly stages: readonly number[] }
  /** `notNamed`: the only reason is that other people decide. */
  | { readonly type: 'refused'; readonly why: string; readonly notNamed?: true };

/** The right over a question that is open already. If the rules or the tool have changed since, only a denial counts. */
export type RightNow =
  | Right
  | { readonly type: 'outdated'; readonly why: string; readonly tool?: 'changed' | 'removed' };

export interface PersonWithInput {
  readonly by: Person;
  /** Complete, with every secret. */
  readonly input: string;
}

export interface AskedCard {
  readonly asked: AskedApproval;
  readonly approval: Approval;
}

/**
 * Judged by the card's rules. If today's rules or the tool differ, approving is refused; denying stays open to approvers
 * under either.
 */
export async function rightOnCard(
  context: AuthorityContext,
  { asked, approval }: AskedCard,
  { by, input }: PersonWithInput,
): Promise<RightNow> {
  const { tools, people, judge } = context;
  const { requester, thread } = approval;
  const shown = await rightUnder(people, asked, approval, by);
  const tool = tools.find(asked.tool);
  const whatNow = toolNow(tools, asked);
  const changed: RightNow =
    whatNow === undefined || shown.type === 'refused'
      ? shown
      : { type: 'outdated', why: TOOL_CHANGED[whatNow], tool: whatNow };
  if (tool === undefined) return changed;
  const call = { tool, input: readInput(input), thread, requester };
  const now = judge(call);
  const alike = judgedAlike(askedUnder(asked, asked.digest), now);
  if (alike && !isLookedUp(now.rule)) return changed;
  const today = await rightToday(context, { now, call }, approval, by);
  if (shown.type === 'refused' && today.type === 'refused') return shown;
  // The card names the people who may approve. If a function names them, it has to name the presser now as well.
  if (alike && shown.type === 'allowed') {
    if (today.type === 'allowed') return changed;
    if (today.unknown === true) return today;
  }
  if (alike) return { type: 'outdated', why: NAMES_CHANGED };
  const forbidden = `The rule “${now.ruledBy?.name ?? ''}” does not allow this call any more. Nothing was run.`;
  return { type: 'outdated', why: now.effect === 'denied' ? forbidden : RULES_CHANGED };
}

/** The right by today's rules. `unknown`: a function could not say who may approve. */
async function rightToday(
  context: AuthorityContext,
  { now, call }: { readonly now: Judgement; readonly call: JudgedCall },
  approval: Approval,
  by: Person,
): Promise<Right & { readonly unknown?: boolean }> {
  const { effect } = now;
  if (effect !== 'asked' && effect !== 'guarded')
    return { type: 'refused', why: 'This call needs no answer under today’s rules.' };
  const found = await context.ruleNow(now, call);
  if ('why' in found) return { type: 'refused', why: whyNotYet(found.why), unknown: true };
  return rightUnder(context.people, { rule: found.rule, effect }, approval, by);
}

/** `why` is the end of a sentence. */
export const whyNotYet = (why: string): string =>
  `You cannot decide about this call yet: ${why}. Press again in a moment. Nothing was changed.`;

const NAMES_CHANGED =
  'Other people decide about this call now than when I asked, so it cannot be approved on this card any more. Nothing was run. I ask again, and they can decide.';

/** The right of this person under this rule, with facts fetched now. */
export async function rightUnder(
  people: People,
  { rule, effect }: Pick<AskedApproval, 'rule' | 'effect'>,
  { requester, alsoSteeredBy, thread }: Pick<Approval, 'requester' | 'alsoSteeredBy' | 'thread'>,
  by: Person,
): Promise<Right> {
  const presser = await factsOf(people, rule, by, thread);
  return rightToDecide(rule, effect, { requester, alsoSteeredBy, presser, threadTeam: thread.team });
}

const RULES_CHANGED =
  'The rules for this call have changed since I asked, so it cannot be approved on this card any more. Nothing was run. I ask again under today’s rules.';

const TOOL_CHANGED = {
  changed:
    'This tool has changed since I asked, so this card decides nothing any more. Nothing was run. I ask again with the tool as it is now.',
  removed: 'This tool was removed since I asked, so this call cannot be approved any more. Nothing was run.',
} as const;

export interface RightFacts {
  readonly requester: UserId;
  /** The people other than the requester who steered the call. */
  readonly alsoSteeredBy: readonly UserId[];
  /** The workspace the thread lives in. */
  readonly threadTeam: string;
  readonly presser: PersonFacts;
}

/** The right by facts that are known already, with a sentence that says why not. */
export function rightToDecide(rule: StoredDecisionRule, effect: 'asked' | 'guarded', facts: RightFacts): Right {
  const { presser, requester, threadTeam } = facts;
  const noSay = whyNoSay(presser, threadTeam);
  if (noSay !== undefined) return { type: 'refused', why: noSay };
  const answers = stagesOf(rule).map((stage) =>
    mayDecide(
      { ...inLibraryWords(rule, stage, requester), effect },
      {
        requester,
        presser: presser.user,
        account: 'person',
        // Being in the channel is not enough to approve a guarded call.
        presserGroups: [...presser.groups, ...(presser.inChannel && effect !== 'guarded' ? ['channel'] : [])],
      },
    ),
  );
  const stages = answers.flatMap((answer, stage) => (answer.type === 'allowed' ? [stage] : []));
  if (stages.length > 0 && barredFrom(rule, facts).includes(presser.user)) {
    return { type: 'refused', why: STEERED };
  }
  if (stages.length > 0) return { type: 'allowed', stages };
  const refusals = answers.flatMap((answer) => (answer.type === 'refused' ? [answer] : []));
  const [first] = [...refusals].sort((one, other) => PLAINEST.indexOf(other.reason) - PLAINEST.indexOf(one.reason));
  const notNamed = first?.reason === 'not-an-approver' || first?.reason === 'not-the-requester' || undefined;
  return { type: 'refused', why: first?.message ?? 'You cannot decide about this call.', ...given({ notNamed }) };
}

/** Why this person decides nothing here, whatever the rule: only full members of the workspace do. */
export function whyNoSay({ account, team }: PersonFacts, threadTeam: string): string | undefined {
  if (account === 'unknown' || account === 'missing') return NOT_KNOWN;
  if (team !== threadTeam || account === 'outsider')
    return 'You belong to another workspace, and only people of this one can decide.';
  return account === 'person' ? undefined : WHO[account];
}

const STEERED =
  'I read words of yours before I asked for this call, so you helped to ask for it. Another person has to decide about it.';

/** Which refusal a person with several is told: why they may not decide, before whom else a stage names. */
const PLAINEST: readonly MayNotDecide[] = ['not-an-approver', 'self-approval'];

const NOT_KNOWN = 'I could not find out who you are just now, so you cannot decide yet. Press again in a moment.';

const WHO: Readonly<Record<'guest' | 'bot' | 'deactivated', string>> = {
  guest: 'Guests cannot decide. Ask a full member of this workspace.',
  bot: 'Only a person with an active account can decide.',
  deactivated: 'Only a person with an active account can decide.',
};

/** One stage of the rule in the words of the library. */
function inLibraryWords({ selfApproval }: StoredDecisionRule, { approvers, quorum }: Stage, requester: UserId) {
  const people = approvers
    .filter((approver) => !isGroup(approver) && approver !== 'channel')
    .map((approver) => (approver === 'requester' ? requester : approver));
  return {
    approvers: people,
    approverGroups: approvers.filter((approver) => isGroup(approver) || approver === 'channel'),
    selfApproval,
    ...given({ quorum }),
  };
}
