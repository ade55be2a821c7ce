import { given } from '../copy.ts';
import { InterventionError } from '../errors.ts';
import type { BeforeToolCallEvent } from '../hooks/events.ts';
import type { Json } from '../messages.ts';
import type { Settlement } from '../pipeline/settlement.ts';
import { type DecisionRule, mayDecide } from './may-decide.ts';

export interface ApproverRules {
  readonly ruleFor: (tool: string) => DecisionRule | undefined;
  readonly groupsOf?: ((approver: string) => readonly string[]) | undefined;
}

export interface AnswerOf {
  readonly event: BeforeToolCallEvent;
  readonly response: Json;
  /** Approvals that count already. */
  readonly approvals: readonly Json[];
}

/** Checks that a person who may decide has answered. Any other answer leaves the question open, and its giver is told why. */
export function checkApprover(settlement: Settlement, answer: AnswerOf, rules: ApproverRules): Settlement {
  const rule = rules.ruleFor(answer.event.effective().name);
  if (rule === undefined || !isByPerson(settlement)) return settlement;
  const { approver } = settlement;
  if (approver === undefined) return invalid('This question needs to know who answers it.');
  const decides = (presser: string, approvedBy: readonly string[]) =>
    mayDecide(rule, {
      requester: requesterOf(answer.event),
      presser,
      account: 'person',
      approvedBy,
      ...given({ presserGroups: groupsOf(presser, rules) }),
    });
  // A yes counts as long as its giver may still decide.
  const earlier = new Set(answer.approvals.map(approverOf).filter((id) => id !== undefined));
  const approvedBy = [...earlier].filter((id) => decides(id, []).type === 'allowed');
  const approves = settlement.type === 'approved';
  const may = decides(approver, approves ? approvedBy : []);
  if (may.type === 'refused') return invalid(may.message);
  const quorum = rule.quorum ?? 1;
  if (!approves || quorum <= 1) return settlement;
  // The other approvers would have approved another input.
  if (settlement.editedInput !== undefined)
    return invalid('Several people approve this input, so it cannot be edited.');
  const missing = quorum - approvedBy.length - 1;
  return missing > 0 ? { type: 'more', approval: answer.response, missing } : settlement;
}

/** A text would hold each part of itself as a group: `ops` is in `devops`. */
function groupsOf(approver: string, rules: ApproverRules): readonly string[] | undefined {
  const groups: unknown = rules.groupsOf?.(approver);
  if (groups === undefined || Array.isArray(groups)) return groups;
  // A promise that fails later fails alone.
  void Promise.allSettled([groups]);
  throw new InterventionError(
    `groupsOf returned no list for ${JSON.stringify(approver)}. Return a list of groups, and no promise.`,
  );
}

export function requesterOf(event: BeforeToolCallEvent): string | undefined {
  const { requester } = event.invocationState;
  return typeof requester === 'string' ? requester : undefined;
}

function isByPerson(
  settlement: Settlement,
): settlement is Extract<Settlement, { readonly type: 'approved' | 'refused' | 'answered' }> {
  switch (settlement.type) {
    case 'approved':
    case 'answered':
      return true;
    case 'refused':
      return settlement.because === 'person';
    case 'invalid':
    case 'more':
      return false;
  }
}

function approverOf(approval: Json): string | undefined {
  if (typeof approval !== 'object' || approval === null || !('approver' in approval)) return undefined;
  return typeof approval.approver === 'string' ? approval.approver : undefined;
}

function invalid(problem: string): Settlement {
  return { type: 'invalid', problem };
}
