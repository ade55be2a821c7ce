import type { Json } from '../interventions/index.ts';
import type { GrantedCall } from './journal/grants.ts';
import { needsSeveral } from './journal/quorum.ts';
import type { AskedApproval } from './journal/state.ts';
import { factsOf, type People } from './people.ts';
import type { ReadRule } from './policy/rules.ts';
import { type Judge, judgeCall, policyHash, ruleOf } from './policy.ts';
import type { Approval, Doubt, Grant, Thread, TrustOffer, TrustTerms, UserId } from './records.ts';
import { type Right, rightToDecide } from './rights.ts';
import { definitionHash, type Tool, type ToolTable } from './tools/index.ts';
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
  ) => Promise<Right>;
  /** Why this person alone may not let the call run with this input in place of the one that was asked. */
  readonly whyNotEdited: (
    asked: AskedApproval,
    approval: Approval,
    press: { by: Person; input: string },
  ) => Promise<string | undefined>;
  /** May this person say what became of this call, by the card and by what is laid down for it today? */
  readonly mayTell: (doubt: Doubt, about: { by: Person; input: string }) => Promise<Right>;
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

  /** By the card and by the rules of today: whoever was taken off the list since has no say, and nobody new has one. */
  const mayDecide: Authority['mayDecide'] = async (asked, { requester, thread }, { by, input }) => {
    const rightBy = async (rule: AskedApproval['rule'], effect: AskedApproval['effect']): Promise<Right> => {
      const presser = await factsOf(people, rule, by, thread);
      return rightToDecide(rule, effect, { requester, presser, threadTeam: thread.team });
    };
    const shown = await rightBy(asked.rule, asked.effect);
    const tool = tools.find(asked.tool);
    if (shown.type === 'refused' || tool === undefined) return shown;
    const now = judge({ tool, input: readInput(input), thread, requester });
    if (now.effect === 'denied') {
      return { type: 'refused', why: `The rule “${now.ruledBy?.name ?? ''}” does not allow this call any more.` };
    }
    // Nobody would ask any more; what was asked is decided as it was asked.
    if (now.effect === 'open') return shown;
    const today = await rightBy(now.rule, now.effect);
    return today.type === 'refused' ? today : shown;
  };

  return {
    judge,
    policyOf,
    mayDecide,
    // Rules are about inputs: another one may be for other people, or for nobody.
    whyNotEdited: async (asked, approval, press) => {
      const right = await mayDecide(asked, approval, press);
      if (right.type === 'refused') return right.why;
      const tool = tools.find(asked.tool);
      if (tool === undefined) return undefined;
      const { requester, thread } = approval;
      const { effect, rule } = judge({ tool, input: readInput(press.input), thread, requester });
      const isOpen = effect === 'open' || effect === 'denied';
      return isOpen || !needsSeveral(rule)
        ? undefined
        : 'Changed like this, several people have to decide. Deny this call and let the agent ask for the other one.';
    },
    mayTell: async ({ tool: name, rule, effect, requester, thread }, { by, input }) => {
      const rightBy = async (asked: Doubt['rule']): Promise<Right> =>
        rightToDecide(asked, effect, {
          requester,
          presser: await factsOf(people, asked, by, thread),
          threadTeam: thread.team,
        });
      const shown = await rightBy(rule);
      const tool = tools.find(name);
      if (shown.type === 'refused' || tool === undefined) return shown;
      const now = judge({ tool, input: readInput(input), thread, requester });
      if (now.effect === 'open' || now.effect === 'denied') return shown;
      const today = await rightBy(now.rule);
      return today.type === 'refused' ? today : shown;
    },
    offer: async ({ tool: name, requester, thread, rule, input: shown }, { by, terms, input }) => {
      const tool = tools.find(name);
      if (needsSeveral(rule)) return { why: `Several people decide about ${name}, so nobody can trust it alone.` };
      const facts = await factsOf(people, tool === undefined ? rule : ruleOf(tool), by, thread);
      const why = whyNotTrusted(tool, { name, by: facts, scope: terms.scope, requester });
      if (why !== undefined) return { why };
      const fields = Object.keys(terms.where ?? {});
      if (fields.length > 0 && shown !== input)
        return { why: 'This input hides something, so it is trusted as a whole.' };
      const preset = { ...terms, ...(terms.match === 'fields' ? { fields } : {}) };
      return (
        offerFor(name, preset, readInput(input)) ?? { why: `This call of ${name} has no such fields to be trusted by.` }
      );
    },
    counts: async ({ by }, { tool: name, input, thread, requester }) => {
      const tool = tools.find(name);
      if (tool === undefined || tool.wants !== undefined) return false;
      const { effect, rule } = judge({ tool, input, thread, requester });
      if (effect !== 'asked' || needsSeveral(rule)) return false;
      const presser = await factsOf(people, rule, { user: by, team: thread.team }, thread);
      return rightToDecide(rule, effect, { requester, presser, threadTeam: thread.team }).type === 'allowed';
    },
    isCurrent: ({ tool: name, definition, policy }) => {
      const tool = tools.find(name);
      return tool !== undefined && definitionHash(tool) === definition && policyOf(tool) === policy;
    },
    mayGive: async ({ tool: name, scope, thread, by }) => {
      const tool = tools.find(name);
      const rule = tool === undefined ? { approvers: [], selfApproval: true } : ruleOf(tool);
      const facts = await factsOf(people, rule, { user: by, team: thread.team }, thread);
      const why = whyNotTrusted(tool, { name, by: facts, scope, requester: await requesterIn(thread) });
      if (tool === undefined || why !== undefined) return { why: why ?? '' };
      return { definition: definitionHash(tool), policy: policyOf(tool) };
    },
  };
}

/** Canonical text of ours; what cannot be read is a call of which nothing is known. */
function readInput(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
