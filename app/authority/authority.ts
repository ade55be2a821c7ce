import type { AskedApproval, AskedUnder, GrantedCall } from '../journal/index.ts';
import type {
  Approval,
  Doubt,
  Person,
  StandingTrust,
  StoredTrustTerms,
  Thread,
  TrustOffer,
  UserId,
} from '../records/index.ts';
import type { Tool } from '../tools/index.ts';
import type { RuleNow } from './approvers/look-up.ts';
import type { AuthorityContext } from './context.ts';
import { groupsOf } from './groups.ts';
import { areMembers } from './people.ts';
import { offerOnCard, type ShownCall } from './policy/offers.ts';
import { type JudgeCall, judgeCall, policyHash } from './policy/policy.ts';
import { type PersonWithInput, type Right, type RightNow, rightOnCard } from './rights.ts';
import { judgeEdit, lostYeses, rightToTell } from './rights-on-cards.ts';
import {
  counts,
  isCurrent,
  offerTrust,
  type TermsOfTrust,
  type TrustInWords,
  termsOfTrust,
} from './rights-to-trust.ts';

/** What needs asking and who may answer, by the tools and rules of this deployment and with facts fetched now. */
export interface Authority {
  readonly judge: JudgeCall;
  /** The hash of what the deployment lays down for a tool. */
  readonly policyOf: (tool: Tool) => string;
  /** The rule of a judgement with the approvers that a function names now, or why no person may approve yet. */
  readonly ruleNow: RuleNow;
  /** Whether this person may decide now. Whatever cannot be found out means no. */
  readonly mayDecide: (asked: AskedApproval, approval: Approval, press: PersonWithInput) => Promise<RightNow>;
  /** The groups of rules and tools that this person is in; none for a person who is not a full member. */
  readonly groupsOf: (person: Person) => Promise<readonly UserId[]>;
  /** The people whose approval counts already and who would be refused now, in the stage of their approval. */
  readonly lostYeses: (asked: AskedApproval, approval: Approval, input: string) => Promise<readonly UserId[]>;
  /** The terms under which this person alone may approve the call with this edited input, or why not. */
  readonly judgeEdit: (
    asked: AskedApproval,
    approval: Approval,
    press: PersonWithInput,
  ) => Promise<{ readonly terms: AskedUnder | undefined } | { readonly why: string }>;
  /** Whether this person may say what became of this call, by the card and by today's rules. */
  readonly mayTell: (doubt: Doubt, about: PersonWithInput) => Promise<Right>;
  /**
   * What one press of *Trust* on the card of this call offers: only calls that the rules would put to the same people, and
   * nothing where a guest or a person of another organisation could use it.
   */
  readonly offerOnCard: (call: ShownCall, steeredBy: readonly UserId[]) => Promise<TrustOffer | undefined>;
  /** The offer on these terms, or why this person may not give it. */
  readonly offer: (
    approval: Approval,
    about: PersonWithInput & { readonly terms: StoredTrustTerms },
  ) => Promise<TrustOffer | { readonly why: string }>;
  /** Whether the giver of this trust could still decide about this call. A giver who has lost that right gives no trust any more. */
  readonly counts: (trust: StandingTrust, call: GrantedCall) => Promise<boolean>;
  /** Whether the tool and the policy are still those under which the trust was given. */
  readonly isCurrent: (trust: StandingTrust) => boolean;
  /** The terms of this trust, or a sentence that says why this person may not give it. */
  readonly mayGive: (wish: TrustInWords) => Promise<TermsOfTrust | { readonly why: string }>;
}

export interface AuthorityDeps extends Pick<AuthorityContext, 'tools' | 'rules' | 'people' | 'ruleNow'> {
  /** Who began the current run of this thread, if there is one. */
  readonly requesterIn: (thread: Thread) => Promise<UserId | undefined>;
}

export function createAuthority({ requesterIn, ...deps }: AuthorityDeps): Authority {
  const { rules } = deps;
  const judge: JudgeCall = (call) => judgeCall(rules, call);
  const context = { ...deps, judge, policyOf: rememberPolicies(rules) };

  return {
    judge,
    policyOf: context.policyOf,
    ruleNow: deps.ruleNow,
    mayDecide: (asked, approval, press) => rightOnCard(context, { asked, approval }, press),
    groupsOf: (person) => groupsOf(context, person),
    lostYeses: (asked, approval, input) => lostYeses(context, { asked, approval }, input),
    judgeEdit: (asked, approval, press) => judgeEdit(context, { asked, approval }, press),
    mayTell: (doubt, about) => rightToTell(context, doubt, about),
    offerOnCard: async (call, steeredBy) => {
      const offer = offerOnCard(rules, call, judge(call));
      return offer !== undefined && (await areMembers(deps.people, steeredBy, call.thread)) ? offer : undefined;
    },
    offer: (approval, about) => offerTrust(context, approval, about),
    counts: (trust, call) => counts(context, trust, call),
    isCurrent: (trust) => isCurrent(context, trust),
    mayGive: (wish) => termsOfTrust(context, wish, () => requesterIn(wish.thread)),
  };
}

/** Each tool's policy is hashed once. */
function rememberPolicies(rules: AuthorityContext['rules']): AuthorityContext['policyOf'] {
  const policies = new WeakMap<Tool, string>();
  return (tool) => {
    const known = policies.get(tool) ?? policyHash(rules, tool);
    policies.set(tool, known);
    return known;
  };
}
