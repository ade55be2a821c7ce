import type { Json } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { StoredDecisionRule } from '../../records/index.ts';
import type { Tool } from '../../tools/index.ts';
import { effectOf, ruleOf, underRule } from './policy.ts';
import { fitOf, type ReadRule, WANTED } from './rules.ts';

/** Calls that a trust would cover. A property that is not named may have any value. */
export interface Within {
  readonly tool: Tool;
  readonly input?: Json;
  readonly channel?: string;
  readonly requester?: string;
}

/** One way in which people would be asked about some of these calls. */
export interface Way {
  readonly effect: 'asked' | 'guarded';
  readonly rule: StoredDecisionRule;
  /** The rule of the deployment; absent when the tool itself asks. */
  readonly by?: string;
}

/**
 * Every way in which calls like these may be put to people, strongest first. Trust has to fit all of them: it would
 * otherwise cover calls that the rules put to other people. Calls that the rules deny or let run are left out.
 */
export function waysOfAsking(rules: readonly ReadRule[], { tool, ...known }: Within): readonly Way[] {
  const ways: Way[] = [];
  const live = rules.filter(({ shadow }) => !shadow);
  for (const rule of WANTED.flatMap((wanted) => live.filter(({ effect }) => effect === wanted))) {
    const fit = fitOf(rule, { tool, ...known });
    if (fit === 'never') continue;
    ways.push(...wayOf(tool, rule));
    // This rule fits all of the calls, so weaker and later rules never apply.
    if (fit === 'always') return ways;
  }
  return [...ways, ...wayOf(tool, undefined)];
}

function wayOf(tool: Tool, rule: ReadRule | undefined): readonly Way[] {
  const effect = effectOf(tool, rule);
  if (effect === 'denied' || effect === 'open') return [];
  return [{ effect, rule: ruleOf(underRule(tool, rule, effect)), ...given({ by: rule?.name }) }];
}
