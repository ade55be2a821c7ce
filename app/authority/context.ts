import type { Json } from '../../interventions/index.ts';
import { readJson } from '../json.ts';
import type { Tool, ToolTable } from '../tools/index.ts';
import type { RuleNow } from './approvers/look-up.ts';
import type { People } from './people.ts';
import type { JudgeCall } from './policy/policy.ts';
import type { ReadRule } from './policy/rules.ts';

/** What every answer about rights depends on: the tools and rules of this deployment, and who its people are. */
export interface AuthorityContext {
  readonly tools: ToolTable;
  readonly rules: readonly ReadRule[];
  readonly people: People;
  readonly judge: JudgeCall;
  readonly policyOf: (tool: Tool) => string;
  /** Asks the function that names the approvers, where there is one. */
  readonly ruleNow: RuleNow;
}

/** Parses an input that the bot wrote. An unreadable input becomes `null`: nothing is known of the call. */
export function readInput(text: string): Json {
  // Only a damaged store can hold text that is not JSON.
  return readJson(text) ?? null;
}
