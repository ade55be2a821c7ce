import { type GrantedCall, needsSeveral } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Approval, StandingTrust, StoredTrustTerms, Thread, TrustOffer, UserId } from '../records/index.ts';
import { definitionHash } from '../tools/index.ts';
import { type AuthorityContext, readInput } from './context.ts';
import { allBelong, areMembers, factsOf } from './people.ts';
import { isAskedAlike, type ShownCall, waysWithin, whereOf } from './policy/offers.ts';
import { type Judgement, ruleOf } from './policy/policy.ts';
import { waysOfAsking } from './policy/ways.ts';
import { type PersonWithInput, rightToDecide } from './rights.ts';
import { offerFor, whyNotTrusted } from './trust-lines.ts';

/** Who may give trust, on which terms, and whether a trust that was given counts for a call. */

interface Refused {
  readonly why: string;
}

/** The tool's definition and the deployment's policy for it, at the time when trust was given. */
export interface TermsOfTrust {
  readonly definition: string;
  readonly policy: string;
}

/** A trust asked for in words, without a card: for later calls, never for one that is pending. */
export interface TrustInWords {
  readonly tool: string;
  readonly scope: TrustOffer['scope'];
  /** The thread of a trust with scope `thread`. For other scopes its `ts` is of the place where the trust was asked for. */
  readonly thread: Thread;
  readonly by: UserId;
}

type OnTerms = PersonWithInput & { readonly terms: StoredTrustTerms };

export async function offerTrust(
  context: AuthorityContext,
  { tool: name, requester, alsoSteeredBy, thread, rule, input: shown }: Approval,
  about: OnTerms,
): Promise<TrustOffer | Refused> {
  const { terms, input } = about;
  const tool = context.tools.find(name);
  if (tool === undefined) return { why: `There is no tool named ${name}. Nothing was changed.` };
  const call = { tool, input: readInput(input), thread, requester };
  const now = context.judge(call);
  if (needsSeveral(rule)) return { why: `Several people decide about ${name}, so no person can trust it alone.` };
  if (!(await areMembers(context.people, [requester, ...alsoSteeredBy], thread)))
    return {
      why: `A person who is no full member of this workspace helped to ask for this call, so ${name} cannot be trusted from here.`,
    };
  const why = await whyNotOffered(context, { call, now }, about);
  if (why !== undefined) return { why };
  const fields = Object.keys(terms.where ?? {});
  if (fields.length > 0 && shown !== input)
    return { why: 'Part of this input is hidden, so it can be trusted only as a whole.' };
  const preset = { ...terms, ...(terms.match === 'fields' ? { fields } : {}) };
  const offer = offerFor(name, preset, readInput(input), readInput(shown));
  if (offer === undefined) return { why: `This call of ${name} does not have the chosen fields.` };
  if (fields.length > 0 && offer.line.length > LIMITS.trustLineChars)
    return { why: 'The sentence for this trust would be too long to be read at a glance. Choose fewer parts.' };
  return offer;
}

async function whyNotOffered(
  { rules, people }: AuthorityContext,
  { call, now }: { readonly call: Omit<ShownCall, 'shown'>; readonly now: Judgement },
  { by, terms }: OnTerms,
): Promise<string | undefined> {
  const { tool, thread, requester } = call;
  const { name } = tool;
  for (const way of waysWithin(rules, call, terms)) {
    const facts = await factsOf(people, way.rule, by, thread);
    const why = whyNotTrusted(tool, { name, by: facts, scope: terms.scope, requester, way });
    if (why !== undefined) return why;
  }
  return isAskedAlike(now, waysWithin(rules, call, terms))
    ? undefined
    : `The rules treat some of these calls of ${name} differently. Choose something narrower.`;
}

export async function counts(
  { tools, people, judge }: AuthorityContext,
  { by, offer: { scope } }: StandingTrust,
  { tool: name, input, thread, requester, steeredBy }: GrantedCall,
): Promise<boolean> {
  const tool = tools.find(name);
  if (tool === undefined || tool.wants !== undefined) return false;
  const { effect, rule } = judge({ tool, input, thread, requester });
  if (effect !== 'asked' || needsSeveral(rule)) return false;
  const presser = await factsOf(people, rule, { user: by, team: thread.team }, thread);
  const facts = { requester, alsoSteeredBy: steeredBy, presser, threadTeam: thread.team };
  if (rightToDecide(rule, effect, facts).type !== 'allowed') return false;
  return scope === 'requester' ? areMembers(people, steeredBy, thread) : allBelong(people, steeredBy, thread);
}

export function isCurrent(
  { tools, policyOf }: AuthorityContext,
  { tool: name, definition, policy }: Pick<StandingTrust, 'tool' | 'definition' | 'policy'>,
): boolean {
  const tool = tools.find(name);
  return tool !== undefined && definitionHash(tool) === definition && policyOf(tool) === policy;
}

/** The terms to which a trust in words is bound, or why this person may not give it. */
export async function termsOfTrust(
  { tools, rules, people, policyOf }: AuthorityContext,
  { tool: name, scope, thread, by }: TrustInWords,
  findRequester: () => Promise<UserId | undefined>,
): Promise<TermsOfTrust | Refused> {
  const tool = tools.find(name);
  if (tool === undefined) return { why: `There is no tool named ${name}. Nothing was changed.` };
  const requester = await findRequester();
  const within = waysOfAsking(rules, { tool, ...whereOf({ scope, thread, requester: by }) });
  // For an open tool that no rule asks about there is no way of asking. `whyNotTrusted` then says so.
  for (const way of within.length === 0 ? [undefined] : within) {
    const facts = await factsOf(people, way?.rule ?? ruleOf(tool), { user: by, team: thread.team }, thread);
    const why = whyNotTrusted(tool, { name, by: facts, scope, requester, way });
    if (why !== undefined) return { why };
  }
  if (within.length === 0)
    return { why: `The rules here never ask about ${name}, so there is nothing to trust. Nothing was changed.` };
  return { definition: definitionHash(tool), policy: policyOf(tool) };
}
