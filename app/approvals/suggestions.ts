import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { Approval, Person } from '../records/index.ts';
import { withLimit } from '../time/index.ts';
import type { Approvals } from './answers.ts';

/**
 * Suggests a rule to people who approve the same thing again and again, because such people stop reading. After some
 * approvals in a row, the next card shows the exact rule that would end the asking. Nothing follows from it by itself.
 */
export interface Suggestions {
  /** The rule, or `undefined`. Never rejects, and delays a question for a moment at most. */
  readonly ruleFor: (tool: string, requester: Person) => Promise<string | undefined>;
}

export interface SuggestionDeps {
  readonly settledFor: Approvals['settledFor'];
  /** How many approvals in a row it takes. */
  readonly after: number;
  readonly log: Log;
}

const PATIENCE_MS = 1_000;

export function createSuggestions({ settledFor, after, log }: SuggestionDeps): Suggestions {
  const look = async (tool: string, requester: Person): Promise<string | undefined> => {
    const settled = await settledFor(requester);
    return suggestedRule(settled, { tool, requester: requester.user, after });
  };
  return {
    ruleFor: (tool, requester) =>
      // The store may be away. A suggestion is never worth failing a question.
      orLog(log.warn, 'Earlier answers could not be read, so no rule is suggested.', { tool }, () =>
        withLimit(look(tool, requester), { ms: PATIENCE_MS, late: undefined }),
      ),
  };
}

/** @param settled newest first. */
export function suggestedRule(
  settled: readonly Approval[],
  { tool, requester, after }: { readonly tool: string; readonly requester: string; readonly after: number },
): string | undefined {
  const newest = settled.filter((one) => one.tool === tool && one.requester === requester).slice(0, after);
  if (newest.length < after || !newest.every(isPlainYes)) return undefined;
  const because = `Approved ${after} times in a row, and never denied.`;
  return `{ name: ${quoted(`${tool} for ${requester}`)}, effect: 'allow', tool: ${quoted(tool)}, requester: ${quoted(requester)}, because: ${quoted(because)} }`;
}

/** An approval without an edit whose call did not fail. A person who edits the input reads it, and should go on reading. */
function isPlainYes(approval: Approval): boolean {
  return approval.status === 'approved' && approval.decision.edit === undefined && approval.outcome.type !== 'failed';
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
