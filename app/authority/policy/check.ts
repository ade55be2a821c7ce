import { type DecisionTerms, problemWithDeciders, type Tool } from '../../tools/index.ts';
import { underRule } from './policy.ts';
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

type Problem = Omit<RuleProblem, 'index'>;

/** Each rule needs a name of its own, because cards and the audit name the rule. */
function problemWithName({ name }: ReadRule, before: readonly ReadRule[]): Problem | undefined {
  if (!before.some((other) => other.name === name)) return undefined;
  return { key: 'name', problem: `is ${JSON.stringify(name)}, as another rule is called already. Rename one` };
}

function problemWithRule(rule: ReadRule, tools: readonly Tool[]): Problem | undefined {
  const known = tools.map(({ name }) => name);
  const unknown = rule.tools?.find((name) => !known.includes(name) && !ofServer(name));
  if (unknown !== undefined) {
    const there = `There are: ${known.join(', ')}. A tool of a tool server is named server__tool`;
    return { key: 'tool', problem: `names ${unknown}, and there is no such tool. ${there}` };
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
        problem: `is 'allow' for ${guarded.name}, which is guarded: a person has to say yes every time`,
      };
    }
    case 'ask':
    case 'guard':
      return problemWithPeople(rule, about, rule.effect === 'guard' ? 'guarded' : 'asked');
  }
}

function problemWithPeople(rule: ReadRule, about: readonly Tool[], wanted: 'asked' | 'guarded'): Problem | undefined {
  if (rule.approvers !== undefined || rule.stages !== undefined) return problemWithDeciders(rule, wanted);
  for (const tool of about) {
    const effect = tool.effect === 'guarded' ? 'guarded' : wanted;
    const problem = problemWithDeciders(underRule(tool, rule, effect), effect);
    // A tool that is guarded by its own definition is refused when called, and the thread is told.
    if (problem !== undefined && !(tool.effect === 'guarded' && tool.approvers.length === 0))
      return { key: problem.key, problem: `(for ${tool.name}) ${problem.problem}` };
  }
  return undefined;
}

const ofServer = (name: string) => /^[a-zA-Z0-9_-]+?__[a-zA-Z0-9_-]+$/.test(name);
