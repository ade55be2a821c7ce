import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { Approval, Person } from '../records/index.ts';
import { withLimit } from '../time/index.ts';
import type { Approvals } from './answers.ts';

/**
 * Suggests a rule when people approve the same call again and again, because such people stop reading. The rule is stored with
 * the next question and ends the asking for exactly that call. Its card does not show it, and nothing follows from it by itself.
 * Resolves to the plain approvals in a row that suggest the rule. Never rejects, and delays a question for a moment at most.
 */
export type SuggestRule = (call: RepeatedCall) => Promise<number | undefined>;

export interface RepeatedCall {
  readonly tool: string;
  /** Canonical, and without secrets: a call that hides something is not asked about here. */
  readonly input: string;
  readonly requester: Person;
}

export interface SuggestionDeps {
  readonly settledFor: Approvals['settledFor'];
  /** How many approvals in a row it takes. */
  readonly after: number;
  readonly log: Log;
}

const PATIENCE_MS = 1_000;

export function createSuggestRule({ settledFor, after, log }: SuggestionDeps): SuggestRule {
  const look = async ({ tool, input, requester }: RepeatedCall): Promise<number | undefined> => {
    // Each question waits for this, so it reads less than a list does.
    const settled = await settledFor(requester, LIMITS.suggestRead);
    return approvedInARow(settled, { tool, input, requester: requester.user, after });
  };
  return (call) =>
    // The store may be away. A suggestion is never worth failing a question.
    orLog(log.warn, 'Earlier answers could not be read, so no rule is suggested.', { tool: call.tool }, () =>
      withLimit(look(call), { ms: PATIENCE_MS, late: undefined }),
    );
}

interface Repeated extends Omit<RepeatedCall, 'requester'> {
  readonly requester: string;
  readonly after: number;
}

/** A longer input makes no rule that a person could check. */
const INPUT_CHARS = 300;

/** @param settled newest first. */
export function approvedInARow(
  settled: readonly Approval[],
  { tool, input, requester, after }: Repeated,
): number | undefined {
  const isSame = (one: Approval) => one.tool === tool && one.requester === requester && one.input === input;
  const newest = settled.filter(isSame).slice(0, after);
  if (input.length > INPUT_CHARS || newest.length < after || !newest.every(isPlainYes)) return undefined;
  // The rule stands with one of these questions already.
  return newest.some(({ suggestion }) => suggestion !== undefined) ? undefined : after;
}

/** An approval without an edit whose call did not fail. A person who edits the input reads it, and should go on reading. */
function isPlainYes(approval: Approval): boolean {
  return approval.status === 'approved' && approval.decision.edit === undefined && approval.outcome.type !== 'failed';
}
