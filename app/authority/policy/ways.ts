import type { Json } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { StoredDecisionRule } from '../../records/index.ts';
import type { Tool } from '../../tools/index.ts';
import { effectOf, ruleOf, underRule } from './policy.ts';
import { fitOf, type ReadRule, WANTED } from './rules.ts';

/** Calls that a trust would cover. What is not named may be anything. */
export interface Within {
  readonly tool: Tool;
  readonly input?: Json;
  readonly channel?: string;
  readonly requester?: string;
}

/** One way in which people would be asked about some of them. */
export interface Way {
  readonly effect: 'asked' | 'guarded';
  readonly rule: StoredDecisionRule;
  /** The rule of the deployment; absent, where the tool itself says so. */
  readonly by?: string;
}

/**
 * Every way in which calls like these may be put to people, strongest first. A trust that said yes to all of them in the
 * name of one would promise what the rules do not keep. What they deny or let run is nobody's to trust.
 */
export function waysOfAsking(rules: readonly ReadRule[], { tool, ...known }: Within): readonly Way[] {
  const ways: Way[] = [];
  const live = rules.filter(({ shadow }) => !shadow);
  for (const rule of WANTED.flatMap((wanted) => live.filter(({ effect }) => effect === wanted))) {
    const fit = fitOf(rule, { tool, ...known });
    if (fit === 'never') continue;
    ways.push(...wayOf(tool, rule));
    // Nothing that is weaker or later ever gets a say.
    if (fit === 'always') return ways;
  }
  return [...ways, ...wayOf(tool, undefined)];
}

function wayOf(tool: Tool, rule: ReadRule | undefined): readonly Way[] {
  const effect = effectOf(tool, rule);
  if (effect === 'denied' || effect === 'open') return [];
  return [{ effect, rule: ruleOf(underRule(tool, rule, effect)), ...given({ by: rule?.name }) }];
}
