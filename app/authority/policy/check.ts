import { UserId } from '../../records/index.ts';
import { type DecisionTerms, mayBeOfServer, problemWithDeciders, type Tool } from '../../tools/index.ts';
import { SOME_REQUESTER, whyNoApprover } from '../approvers/possible.ts';
import { effectOf, ruleOf, underRule } from './policy.ts';
import type { ReadRule } from './rules.ts';

/** Finds what is wrong in the rules of a deployment whatever is called. A problem stops the start. */

export interface RuleProblem {
  readonly index: number;
  readonly key: keyof DecisionTerms | 'name' | 'tool' | 'effect';
  readonly problem: string;
}

export function problemWithRules(rules: readonly ReadRule[], tools: readonly Tool[]): RuleProblem | undefined {
  for (const [index, rule] of rules.entries()) {
    const problem = problemWithRule(rule, tools) ?? problemWithName(rule, rules.slice(0, index));
    if (problem !== undefined) return { index, ...problem };
  }
  return undefined;
}

/**
 * Why no person could approve the calls of this tool. With nothing configured, a guarded tool without approvers is only
 * refused when it is called, and the thread is told.
 */
export function problemWithTool(tool: Tool, configured: boolean): string | undefined {
  const { name, effect, approvers, stages } = tool;
  if (effect === 'open' || (!configured && approvers.length === 0 && stages === undefined)) return undefined;
  const why = whyNoApprover(ruleOf(tool), effect, { requester: SOME_REQUESTER });
  return why === undefined ? undefined : `has ${name}, and no person could approve it: ${why}. Change its approvers`;
}

type Problem = Omit<RuleProblem, 'index'>;

/** Each rule needs a name of its own, because cards and the audit name the rule. */
function problemWithName({ name }: ReadRule, before: readonly ReadRule[]): Problem | undefined {
  if (!before.some((other) => other.name === name)) return undefined;
  return { key: 'name', problem: `is ${JSON.stringify(name)}, the name of another rule. Rename one of them` };
}

function problemWithRule(rule: ReadRule, tools: readonly Tool[]): Problem | undefined {
  const known = tools.map(({ name }) => name);
  const unknown = rule.tools?.find((name) => !known.includes(name) && !mayBeOfServer(name));
  if (unknown !== undefined) {
    const there = `Write one of these: ${known.join(', ')}. A tool of a tool server is named server__tool`;
    return { key: 'tool', problem: `names ${unknown}, which is no tool. ${there}` };
  }
  const about = tools.filter(
    ({ name, origin }) => rule.tools?.includes(name) && rule.servers?.includes(origin) !== false,
  );
  switch (rule.effect) {
    case 'deny':
      return undefined;
    case 'allow': {
      const guarded = about.find(({ effect }) => effect === 'guarded');
      if (guarded === undefined) return undefined;
      return {
        key: 'effect',
        problem: `is 'allow' for ${guarded.name}, which is guarded: a person has to say yes every time. Leave that tool out`,
      };
    }
    case 'ask':
    case 'guard':
      return (
        problemWithPeople(rule, about, rule.effect === 'guard' ? 'guarded' : 'asked') ??
        problemWithSeats(
          rule,
          rule.tools === undefined ? tools.filter((tool) => rule.servers?.includes(tool.origin) !== false) : about,
        )
      );
  }
}

function problemWithPeople(rule: ReadRule, about: readonly Tool[], wanted: 'asked' | 'guarded'): Problem | undefined {
  if (rule.approvers !== undefined || rule.stages !== undefined) return problemWithDeciders(rule, wanted);
  for (const tool of about) {
    const effect = tool.effect === 'guarded' ? 'guarded' : wanted;
    const problem = problemWithDeciders(underRule(tool, rule, effect), effect);
    if (problem !== undefined) return { key: problem.key, problem: `(for ${tool.name}) ${problem.problem}` };
  }
  return undefined;
}

/** Finds a tool whose calls under this rule no person could approve. Such a rule would refuse what it only means to ask about. */
function problemWithSeats(rule: ReadRule, about: readonly Tool[]): Problem | undefined {
  for (const tool of about) {
    const effect = effectOf(tool, rule);
    if (effect === 'denied' || effect === 'open') continue;
    for (const requester of rule.requesters?.map((id) => UserId.parse(id)) ?? [SOME_REQUESTER]) {
      const why = whyNoApprover(ruleOf(underRule(tool, rule, effect)), effect, { requester });
      if (why !== undefined)
        return {
          key: 'effect',
          problem: `asks about ${tool.name}, and no person could approve it: ${why}. Add approvers`,
        };
    }
  }
  return undefined;
}
