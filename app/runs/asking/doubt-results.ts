import type { ToolResultBlock } from '../../../interventions/index.ts';
import { type EntryBody, type RunState, toolUseIdOf } from '../../journal/index.ts';
import type { ApprovalId, DoubtChoice } from '../../records/index.ts';
import { WORDS } from '../telling/words.ts';

/** What the model is told of a call with an unknown outcome, as the item that the journal keeps. */

export function chosenResult(
  state: RunState,
  doubt: ApprovalId,
  { choice, said }: { readonly choice: Exclude<DoubtChoice, 'retry'>; readonly said: string | undefined },
): string {
  const limitMs = limitOf(state, doubt);
  if (choice === 'skip') return resultItem(state, doubt, 'error', WORDS.skippedResult(limitMs));
  return resultItem(state, doubt, 'success', WORDS.happenedResult(said, limitMs));
}

/** Adds the result *unknown* where the end of a question answers its call. */
export function withUnknown<Ended extends { readonly entries: readonly EntryBody[] }>(
  state: RunState,
  id: ApprovalId,
  ended: Ended,
): Ended & { readonly items: readonly string[] } {
  const answers = ended.entries.some(({ type }) => type === 'call-answered');
  return { ...ended, items: answers ? [resultItem(state, id, 'error', WORDS.unknownResult(limitOf(state, id)))] : [] };
}

function limitOf({ questions, calls }: RunState, id: ApprovalId): number | undefined {
  const execution = calls.get(questions.get(id)?.call ?? '')?.execution;
  return execution?.type === 'unknown' ? execution.limitMs : undefined;
}

function resultItem(state: RunState, id: ApprovalId, status: ToolResultBlock['status'], text: string): string {
  const question = state.questions.get(id);
  const result: ToolResultBlock = {
    type: 'toolResult',
    toolUseId: question === undefined ? '' : toolUseIdOf(state, question.call),
    status,
    content: [{ type: 'text', text }],
  };
  return JSON.stringify(result);
}
