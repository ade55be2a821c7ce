import { ConfigurationError, checkOptions, type OptionKind } from '../errors.ts';

/** Who may decide about calls of one tool, as configured. */
export interface DecisionRule {
  readonly effect: 'open' | 'asked' | 'guarded';
  /** Ids of people. With neither approvers nor groups, only the requester decides, and for a guarded tool no person may. */
  readonly approvers?: readonly string[];
  readonly approverGroups?: readonly string[];
  /** Whether an approver may decide about a call made for them. Default no. */
  readonly selfApproval?: boolean;
  /** How many different people must approve. Default one. */
  readonly quorum?: number;
}

type RuleFor = (tool: string) => DecisionRule | undefined;

const EFFECTS: Readonly<Record<DecisionRule['effect'], true>> = { open: true, asked: true, guarded: true };

/** Refuses what is no rule, such as the promise of an async function: it would be a rule that restricts nothing. */
export function checkedRules(ruleFor: RuleFor): RuleFor {
  return (tool) => {
    const rule = ruleFor(tool);
    if (rule === undefined) return undefined;
    if (typeof rule === 'object' && rule !== null && Object.hasOwn(EFFECTS, rule.effect)) return checked(rule, tool);
    // A promise that fails later fails alone.
    void Promise.allSettled([rule]);
    throw new ConfigurationError(
      `ruleFor returned no rule for ${JSON.stringify(tool)}. Return nothing or { effect: 'asked', … }, and no promise.`,
    );
  };
}

function checked(rule: DecisionRule, tool: string): DecisionRule {
  checkOptions(`The rule for ${JSON.stringify(tool)}`, rule, RULE);
  const { quorum = 1 } = rule;
  if (Number.isInteger(quorum) && quorum >= 1) return rule;
  throw new ConfigurationError(
    `The rule for ${JSON.stringify(tool)} has the quorum ${String(quorum)}. Give a whole number from 1, or leave it out.`,
  );
}

/** The compiler sees that each is here. */
const RULE: Readonly<Record<keyof DecisionRule, OptionKind>> = {
  effect: true,
  approvers: 'a list',
  approverGroups: 'a list',
  selfApproval: 'true or false',
  quorum: true,
};

/** The facts at the moment of the press. Fetch them then, never before. */
export interface DecisionFacts {
  readonly requester: string | undefined;
  readonly presser: string | undefined;
  readonly account: 'person' | 'bot' | 'deactivated' | 'unknown';
  readonly presserGroups?: readonly string[];
  /** People whose approval counts already. */
  readonly approvedBy?: readonly string[];
}

export type MayDecide =
  | { readonly type: 'allowed' }
  | { readonly type: 'refused'; readonly reason: MayNotDecide; readonly message: string };

export type MayNotDecide =
  | 'not-a-person'
  | 'no-approver'
  | 'no-requester'
  | 'not-the-requester'
  | 'not-an-approver'
  | 'self-approval'
  | 'approved-already';

/** Decides whether this person may decide about this call. Missing or odd facts mean no. */
export function mayDecide(rule: DecisionRule, facts: DecisionFacts): MayDecide {
  const { presser } = facts;
  if (facts.account !== 'person' || presser === undefined || presser === '') return no('not-a-person');
  const refusal = named(rule) ? refuseOutsider(rule, facts) : refuseOther(rule, facts);
  if (refusal !== undefined) return no(refusal);
  if (facts.approvedBy?.some((id) => maybeSame(id, presser)) === true) return no('approved-already');
  return { type: 'allowed' };
}

/**
 * Whether any person can ever decide. A tool with no possible approver is refused when it is called, and the requester
 * is told. A question would wait in vain.
 */
export function hasPossibleApprover(rule: DecisionRule, requester: string | undefined): boolean {
  const quorum = rule.quorum ?? 1;
  if (!named(rule))
    return rule.effect !== 'guarded' && present(requester) && rule.selfApproval !== false && quorum <= 1;
  if ((rule.approverGroups ?? []).length > 0) return true;
  const people = new Set(rule.approvers?.map(folded));
  if (rule.selfApproval !== true && requester !== undefined) people.delete(folded(requester));
  return people.size >= quorum;
}

function named(rule: DecisionRule): boolean {
  return (rule.approvers ?? []).length > 0 || (rule.approverGroups ?? []).length > 0;
}

function refuseOutsider(
  rule: DecisionRule,
  { presser, presserGroups, requester }: DecisionFacts,
): MayNotDecide | undefined {
  const listed = rule.approvers?.includes(presser ?? '') === true;
  const inGroup = rule.approverGroups?.some((group) => presserGroups?.includes(group) === true) === true;
  if (!listed && !inGroup) return 'not-an-approver';
  // Without a requester, self-approval cannot be ruled out.
  if (rule.selfApproval !== true && !present(requester)) return 'no-requester';
  if (rule.selfApproval !== true && maybeSame(presser ?? '', requester ?? '')) return 'self-approval';
  return undefined;
}

function refuseOther(rule: DecisionRule, { presser, requester }: DecisionFacts): MayNotDecide | undefined {
  if (rule.effect === 'guarded') return 'no-approver';
  if (!present(requester)) return 'no-requester';
  if (presser !== requester) return 'not-the-requester';
  if (rule.selfApproval === false) return 'self-approval';
  return undefined;
}

/**
 * Whether two ids may be two spellings of one person, such as `ben` and `Ben`. A person has to be named exactly to decide, but
 * cannot count twice, or approve an own wish, under another spelling.
 */
function maybeSame(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

const folded = (id: string): string => id.normalize('NFKC').trim().toLowerCase();

const present = (id: string | undefined): id is string => id !== undefined && id !== '';

const MESSAGES: Readonly<Record<MayNotDecide, string>> = {
  'not-a-person': 'Only a person with an active account can decide.',
  'no-approver':
    'This tool is guarded and no approver is configured for it, so no person can decide. Name an approver.',
  'no-requester': 'It is not known who asked for this call, so no person can decide about it.',
  'not-the-requester': 'Only the person who asked can decide about this call.',
  'not-an-approver': 'You are not one of the people who can decide about this call.',
  'self-approval': 'You asked for this call, so another person has to decide about it.',
  'approved-already': 'Your approval counts already; another person has to approve as well.',
};

function no(reason: MayNotDecide): MayDecide {
  return { type: 'refused', reason, message: MESSAGES[reason] };
}
