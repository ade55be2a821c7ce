import type { Json } from '../../interventions/index.ts';
import {
  type AskedApproval,
  type AskingTerms,
  type GrantedCall,
  needsSeveral,
  stagesOfYeses,
  termsHold,
  termsNow,
  termsOf,
} from '../journal/index.ts';
import {
  type Approval,
  type Doubt,
  type Grant,
  type Thread,
  type TrustOffer,
  type TrustTerms,
  UserId,
} from '../records/index.ts';
import { definitionHash, type Tool, type ToolTable } from '../tools/index.ts';
import { allBelong, factsOf, isGroup, type People } from './people.ts';
import { isAskedAlike, offerOnCard, type ShownCall, waysWithin, whereOf } from './policy/offers.ts';
import { type Judge, judgeCall, policyHash, ruleOf } from './policy/policy.ts';
import type { ReadRule } from './policy/rules.ts';
import { waysOfAsking } from './policy/ways.ts';
import { type Right, type RightNow, rightToDecide } from './rights.ts';
import { offerFor, whyNotTrusted } from './trust-lines.ts';

/** What needs asking and who may answer, by the tools and rules of this deployment and with facts fetched now. */
export interface Authority {
  readonly judge: Judge;
  /** Names what the deployment lays down for a tool. */
  readonly policyOf: (tool: Tool) => string;
  /** May this person decide this, now? Whatever cannot be found out means no. */
  readonly mayDecide: (
    asked: AskedApproval,
    approval: Approval,
    press: { by: Person; input: string },
  ) => Promise<RightNow>;
  /** The groups of rules and tools that this person is in. Nobody but a full member is shown what is asked of a group. */
  readonly groupsOf: (person: Person) => Promise<readonly UserId[]>;
  /** Of those whose yes counts already, who would be refused now, in the stage their yes stands in. */
  readonly lostYeses: (asked: AskedApproval, approval: Approval) => Promise<readonly UserId[]>;
  /** What this person alone would let the call run under with this input in place of the one that was asked, or why not. */
  readonly termsOfEdit: (
    asked: AskedApproval,
    approval: Approval,
    press: { by: Person; input: string },
  ) => Promise<{ readonly terms: AskingTerms | undefined } | { readonly why: string }>;
  /** May this person say what became of this call, by the card and by what is laid down for it today? */
  readonly mayTell: (doubt: Doubt, about: { by: Person; input: string }) => Promise<Right>;
  /** What one press of Trust on the card of this call offers: never more than the rules would put to the same people. */
  readonly offerOnCard: (call: ShownCall) => TrustOffer | undefined;
  /** The offer on these terms, if this person may give it. */
  readonly offer: (
    approval: Approval,
    about: { readonly by: Person; readonly terms: TrustTerms; readonly input: string },
  ) => Promise<TrustOffer | { readonly why: string }>;
  /** Could the giver of this trust still decide about this call? */
  readonly counts: (grant: Grant, call: GrantedCall) => Promise<boolean>;
  readonly isCurrent: (grant: Grant) => boolean;
  readonly mayGive: (wish: Wish) => Promise<Terms | { readonly why: string }>;
}

export interface Person {
  readonly user: UserId;
  readonly team: string;
}

interface Terms {
  readonly definition: string;
  readonly policy: string;
}

interface Wish {
  readonly tool: string;
  readonly scope: TrustOffer['scope'];
  readonly thread: Thread;
  readonly by: UserId;
}

export interface AuthorityDeps {
  readonly tools: ToolTable;
  readonly rules: readonly ReadRule[];
  readonly people: People;
  /** Who began the run that is in this thread now, if there is one. */
  readonly requesterIn: (thread: Thread) => Promise<UserId | undefined>;
}

export function createAuthority({ tools, rules, people, requesterIn }: AuthorityDeps): Authority {
  const policies = new WeakMap<Tool, string>();
  const policyOf = (tool: Tool): string => {
    const known = policies.get(tool) ?? policyHash(rules, tool);
    policies.set(tool, known);
    return known;
  };
  const judge: Judge = (call) => judgeCall(rules, call);
  /**
   * By the card, which has to be what the rules of today would ask: under others nobody says yes any more. Saying no is
   * left to whom either of them names.
   */
  const mayDecide: Authority['mayDecide'] = async (asked, { requester, alsoSteeredBy = [], thread }, { by, input }) => {
    const rightBy = async (rule: AskedApproval['rule'], effect: AskedApproval['effect']): Promise<Right> => {
      const presser = await factsOf(people, rule, by, thread);
      return rightToDecide(rule, effect, { requester, alsoSteeredBy, presser, threadTeam: thread.team });
    };
    const shown = await rightBy(asked.rule, asked.effect);
    const tool = tools.find(asked.tool);
    if (tool === undefined) return shown;
    const now = judge({ tool, input: readInput(input), thread, requester });
    if (termsHold(termsOf(asked, asked.digest), termsNow(tool, now))) return shown;
    const entitled =
      shown.type === 'allowed' ||
      ((now.effect === 'asked' || now.effect === 'guarded') &&
        (await rightBy(now.rule, now.effect)).type === 'allowed');
    if (!entitled) return shown;
    const forbidden = `The rule “${now.ruledBy?.name ?? ''}” does not allow this call any more. Nothing was run.`;
    return { type: 'outdated', why: now.effect === 'denied' ? forbidden : RULES_CHANGED };
  };

  return {
    judge,
    policyOf,
    mayDecide,
    groupsOf: async (person) => {
      const deciding = [...rules, ...tools.all].flatMap(({ approvers = [], stages = [] }) => [
        ...approvers,
        ...stages.flatMap((stage) => stage.approvers),
      ]);
      const groups = [...new Set(deciding.filter(isGroup))].map((group) => UserId.parse(group));
      if (groups.length === 0 || (await people.account(person)) !== 'person') return [];
      const isIn = await Promise.all(groups.map((group) => people.isInGroup(person, group)));
      return groups.filter((_, at) => isIn[at]);
    },
    lostYeses: async ({ rule, effect, yeses }, { requester, alsoSteeredBy = [], thread }) => {
      const stages = stagesOfYeses(rule, yeses);
      const still = await Promise.all(
        yeses.map(async ({ by }, at) => {
          const presser = await factsOf(people, rule, { user: by, team: thread.team }, thread);
          const facts = { requester, alsoSteeredBy, presser, threadTeam: thread.team };
          const right = rightToDecide(rule, effect, facts);
          return right.type === 'allowed' && right.stages.includes(stages[at] ?? 0);
        }),
      );
      return yeses.filter((_, at) => still[at] !== true).map(({ by }) => by);
    },
    // Rules are about inputs: another one may be for other people, or for nobody.
    termsOfEdit: async (asked, { requester, alsoSteeredBy = [], thread }, { by, input }) => {
      const tool = tools.find(asked.tool);
      if (tool === undefined) return { why: `There is no tool named ${asked.tool} any more.` };
      const now = judge({ tool, input: readInput(input), thread, requester });
      const { effect, rule, ruledBy } = now;
      if (effect === 'denied') return { why: `The rule “${ruledBy?.name ?? ''}” does not allow this call.` };
      if (effect === 'open') return { terms: undefined };
      if (needsSeveral(rule)) return { why: SEVERAL_FOR_THIS };
      const presser = await factsOf(people, rule, by, thread);
      const right = rightToDecide(rule, effect, { requester, alsoSteeredBy, presser, threadTeam: thread.team });
      return right.type === 'refused' ? right : { terms: { ...termsNow(tool, now), effect } };
    },
    mayTell: async ({ tool: name, rule, effect, requester, alsoSteeredBy = [], thread }, { by, input }) => {
      const rightBy = async (asked: Doubt['rule']): Promise<Right> =>
        rightToDecide(asked, effect, {
          requester,
          alsoSteeredBy,
          presser: await factsOf(people, asked, by, thread),
          threadTeam: thread.team,
        });
      const shown = await rightBy(rule);
      const tool = tools.find(name);
      if (shown.type === 'refused' || tool === undefined) return shown;
      // For a call that nobody was asked about this is what the model wrote: the tool fills in the rest.
      const parsed = tool.parse(readInput(input));
      const now = judge({ tool, input: parsed.ok ? parsed.input : readInput(input), thread, requester });
      if (now.effect === 'open' || now.effect === 'denied') return shown;
      const today = await rightBy(now.rule);
      return today.type === 'refused' ? today : shown;
    },
    offerOnCard: (call) => offerOnCard(rules, call, judge(call)),
    offer: async ({ tool: name, requester, thread, rule, input: shown }, { by, terms, input }) => {
      const tool = tools.find(name);
      if (tool === undefined) return { why: `There is no tool named ${name}. Nothing was changed.` };
      const call = { tool, input: readInput(input), thread, requester };
      const now = judge(call);
      if (needsSeveral(rule)) return { why: `Several people decide about ${name}, so nobody can trust it alone.` };
      for (const way of waysWithin(rules, call, terms)) {
        const facts = await factsOf(people, way.rule, by, thread);
        const why = whyNotTrusted(tool, { name, by: facts, scope: terms.scope, requester, way });
        if (why !== undefined) return { why };
      }
      if (!isAskedAlike(now, waysWithin(rules, call, terms)))
        return { why: `The rules treat some of these calls of ${name} in another way. Choose narrower terms.` };
      const fields = Object.keys(terms.where ?? {});
      if (fields.length > 0 && shown !== input)
        return { why: 'This input hides something, so it is trusted as a whole.' };
      const preset = { ...terms, ...(terms.match === 'fields' ? { fields } : {}) };
      return (
        offerFor(name, preset, readInput(input), readInput(shown)) ?? {
          why: `This call of ${name} has no such fields to be trusted by.`,
        }
      );
    },
    counts: async ({ by, offer: { scope } }, { tool: name, input, thread, requester, steeredBy }) => {
      const tool = tools.find(name);
      if (tool === undefined || tool.wants !== undefined) return false;
      const { effect, rule } = judge({ tool, input, thread, requester });
      if (effect !== 'asked' || needsSeveral(rule)) return false;
      const presser = await factsOf(people, rule, { user: by, team: thread.team }, thread);
      const facts = { requester, alsoSteeredBy: steeredBy, presser, threadTeam: thread.team };
      if (rightToDecide(rule, effect, facts).type !== 'allowed') return false;
      return scope === 'requester' || allBelong(people, steeredBy, thread);
    },
    isCurrent: ({ tool: name, definition, policy }) => {
      const tool = tools.find(name);
      return tool !== undefined && definitionHash(tool) === definition && policyOf(tool) === policy;
    },
    mayGive: async ({ tool: name, scope, thread, by }) => {
      const tool = tools.find(name);
      if (tool === undefined) return { why: `There is no tool named ${name}. Nothing was changed.` };
      const requester = await requesterIn(thread);
      const within = waysOfAsking(rules, { tool, ...whereOf({ scope, thread, requester: by }) });
      // Of an open tool that no rule asks about there is no way, and that is the answer.
      for (const way of within.length === 0 ? [undefined] : within) {
        const facts = await factsOf(people, way?.rule ?? ruleOf(tool), { user: by, team: thread.team }, thread);
        const why = whyNotTrusted(tool, { name, by: facts, scope, requester, way });
        if (why !== undefined) return { why };
      }
      if (within.length === 0) return { why: `By the rules here, ${name} is never asked about. Nothing was changed.` };
      return { definition: definitionHash(tool), policy: policyOf(tool) };
    },
  };
}

const RULES_CHANGED =
  'The rules for this call have changed since it was asked, so nobody can approve it on this card any more. Nothing was run: it is asked again under the rules of now.';
const SEVERAL_FOR_THIS =
  'Changed like this, several people have to decide. Deny this call and let the agent ask for the other one.';

/** Canonical text of ours; what cannot be read is a call of which nothing is known. */
function readInput(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
