import type { ApprovalId } from '../../../records/index.ts';
import type { AskedApproval } from '../asked.ts';
import type { RunState } from '../state.ts';
import { lastRetry, toolUseIdOf } from './calls.ts';

/** The rows of a list card, in the order in which the model asked. */
export function rowsOf(state: RunState, list: ApprovalId): readonly AskedApproval[] {
  return [...state.approvals.values()]
    .filter((approval) => approval.list === list)
    .sort((one, other) => placeInTurn(state, one) - placeInTurn(state, other));
}

/** True when each call of the newest turn is asked about, started or answered. */
export function isTurnLookedAt(state: RunState): boolean {
  return callsOfTurn(state).every((call) => {
    const { approval, execution, answer } = state.calls.get(lastRetry(state.calls, call)) ?? NEW;
    return approval !== undefined || execution.type !== 'none' || answer !== undefined;
  });
}

const NEW = { approval: undefined, execution: { type: 'none' }, answer: undefined } as const;

export function callsOfTurn(state: RunState): readonly string[] {
  const newest = state.said.findLast((said) => said.type === 'turn');
  return newest?.type === 'turn' ? newest.calls : [];
}

export function placeInTurn(state: RunState, { call }: AskedApproval): number {
  return callsOfTurn(state).indexOf(`${call.slice(0, call.indexOf('/'))}/${toolUseIdOf(state, call)}`);
}
