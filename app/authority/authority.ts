import type { AskedApproval, AskedUnder, GrantedCall } from '../journal/index.ts';
import type { Approval, Doubt, Grant, StoredTrustTerms, Thread, TrustOffer, UserId } from '../records/index.ts';
import type { Tool } from '../tools/index.ts';
import type { AuthorityContext } from './context.ts';
import { groupsOf } from './groups.ts';
import type { Person } from './people.ts';
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
  /** Names what the deployment lays down for a tool. */
  readonly policyOf: (tool: Tool) => string;
  /** May this person decide this, now? Whatever cannot be found out means no. */
  readonly mayDecide: (asked: AskedApproval, approval: Approval, press: PersonWithInput) => Promise<RightNow>;
  /** The groups of rules and tools that this person is in. Nobody but a full member is shown what is asked of a group. */
  readonly groupsOf: (person: Person) => Promise<readonly UserId[]>;
  /** Of those whose yes counts already, who would be refused now, in the stage their yes stands in. */
  readonly lostYeses: (asked: AskedApproval, approval: Approval) => Promise<readonly UserId[]>;
  /** What this person alone would let the call run under with this input in place of the one that was asked, or why not. */
  readonly judgeEdit: (
    asked: AskedApproval,
    approval: Approval,
    press: PersonWithInput,
  ) => Promise<{ readonly terms: AskedUnder | undefined } | { readonly why: string }>;
  /** May this person say what became of this call, by the card and by what is laid down for it today? */
  readonly mayTell: (doubt: Doubt, about: PersonWithInput) => Promise<Right>;
  /** What one press of Trust on the card of this call offers: never more than the rules would put to the same people. */
  readonly offerOnCard: (call: ShownCall) => TrustOffer | undefined;
  /** The offer on these terms, if this person may give it. */
  readonly offer: (
    approval: Approval,
    about: PersonWithInput & { readonly terms: StoredTrustTerms },
  ) => Promise<TrustOffer | { readonly why: string }>;
  /** Could the giver of this trust still decide about this call? */
  readonly counts: (grant: Grant, call: GrantedCall) => Promise<boolean>;
  readonly isCurrent: (grant: Grant) => boolean;
  readonly mayGive: (wish: TrustInWords) => Promise<TermsOfTrust | { readonly why: string }>;
}

export interface AuthorityDeps extends Pick<AuthorityContext, 'tools' | 'rules' | 'people'> {
  /** Who began the run that is in this thread now, if there is one. */
  readonly requesterIn: (thread: Thread) => Promise<UserId | undefined>;
}

export function createAuthority({ requesterIn, ...deps }: AuthorityDeps): Authority {
  const { rules } = deps;
  const judge: JudgeCall = (call) => judgeCall(rules, call);
  const context = { ...deps, judge, policyOf: rememberPolicies(rules) };

  return {
    judge,
    policyOf: context.policyOf,
    mayDecide: (asked, approval, press) => rightOnCard(context, { asked, approval }, press),
    groupsOf: (person) => groupsOf(context, person),
    lostYeses: (asked, approval) => lostYeses(context, asked, approval),
    judgeEdit: (asked, approval, press) => judgeEdit(context, { asked, approval }, press),
    mayTell: (doubt, about) => rightToTell(context, doubt, about),
    offerOnCard: (call) => offerOnCard(rules, call, judge(call)),
    offer: (approval, about) => offerTrust(context, approval, about),
    counts: (grant, call) => counts(context, grant, call),
    isCurrent: (grant) => isCurrent(context, grant),
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
