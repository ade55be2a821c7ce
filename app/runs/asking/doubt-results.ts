import type { ToolResultBlock } from '../../../interventions/index.ts';
import { type RunState, toolUseIdOf } from '../../journal/index.ts';
import type { ApprovalId, DoubtChoice } from '../../records/index.ts';
import { WORDS } from '../telling/words.ts';

/** What the model is told of a call of which nobody saw the end, as the item that the journal keeps. */

export function chosenResult(
  state: RunState,
  doubt: ApprovalId,
  { choice, said }: { readonly choice: Exclude<DoubtChoice, 'retry'>; readonly said: string | undefined },
): string {
  if (choice === 'skip') return resultItem(state, doubt, 'error', WORDS.skippedResult);
  return resultItem(state, doubt, 'success', WORDS.happenedResult(said));
}

export function unknownResult(state: RunState, doubt: ApprovalId): string {
  return resultItem(state, doubt, 'error', WORDS.unknownResult);
}

function resultItem(state: RunState, id: ApprovalId, status: ToolResultBlock['status'], text: string): string {
  const doubt = state.doubts.get(id);
  const result: ToolResultBlock = {
    type: 'toolResult',
    toolUseId: doubt === undefined ? '' : toolUseIdOf(state, doubt.call),
    status,
    content: [{ type: 'text', text }],
  };
  return JSON.stringify(result);
}
