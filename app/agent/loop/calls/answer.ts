import {
  canonical,
  type HandlerReaction,
  type Interrupt,
  type Json,
  type Refusal,
  type Settled,
  type ToolResultBlock,
} from '../../../../interventions/index.ts';
import type { LoopTool } from '../../ports.ts';
import { errorResult } from '../../transcript.ts';
import { CANCELLED_BY_HOOK } from '../after.ts';
import { aboutCall, answerDraft } from '../audit.ts';
import { successResult } from '../output.ts';
import type { Run } from '../run.ts';
import { type Prepared, settleAll, toolOf } from './evaluation.ts';
import { parseInput } from './parse-input.ts';

export type AnsweredEvaluation =
  | ReadyToRun
  | {
      readonly type: 'refused';
      readonly prepared: Prepared;
      readonly refusal: Refusal;
      readonly result: ToolResultBlock;
      readonly reactions: readonly HandlerReaction[];
    }
  | {
      readonly type: 'edited';
      readonly prepared: Prepared;
      readonly input: Json;
      readonly editedBy: string | undefined;
    }
  | { readonly type: 'incomplete'; readonly prepared: Prepared; readonly input: Json }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

export interface ReadyToRun {
  readonly type: 'run';
  readonly prepared: Prepared;
  readonly tool: LoopTool;
  readonly input: Json;
  readonly digest: string;
  readonly reactions: readonly HandlerReaction[];
}

/** The second pass: asks people, once everything else has let the call through. */
export async function answer(run: Run, prepared: Prepared): Promise<AnsweredEvaluation> {
  const { evaluation, event, interrupts } = prepared;
  const id = evaluation.toolUse.toolUseId;
  const refuse = (text: string, refusal: Refusal, reactions: readonly HandlerReaction[] = []): AnsweredEvaluation => ({
    type: 'refused',
    prepared,
    refusal,
    result: errorResult(id, text),
    reactions,
  });
  if (event.cancel !== false) {
    const text = event.cancel === true ? CANCELLED_BY_HOOK : event.cancel;
    return refuse(text, prepared.guided ? 'guided' : 'denied', prepared.reactions);
  }
  const { name, input } = event.effective();
  const tool = toolOf(event);
  if (tool === undefined) return refuse(`There is no tool called ${JSON.stringify(name)}.`, 'failed');
  await run.options.betweenReadings?.(input);
  const parsed = parseInput(tool, input);
  if (!parsed.ok) return refuse(`The input does not fit ${name}: ${parsed.problem}`, 'failed');
  await run.options.betweenReadings?.(input);
  // An intervention left out a member that the tool fills in. All handlers judge the completed input before people do.
  if (canonical(parsed.input) !== canonical(input)) return { type: 'incomplete', prepared, input: parsed.input };

  // The digest is taken before people are asked, so they do not approve a change that comes meanwhile.
  const digest = event.digest();
  const settled = prepared.settled ?? named(await settleAll(run, evaluation, prepared), prepared);
  run.check();
  if (prepared.noted.length > 0 || prepared.settled !== undefined) {
    const kind = settled.type === 'interrupted' ? 'question' : 'answer';
    run.audit(() => ({ kind, ...aboutCall(id, event.effective(), run.options.hash), ...answerDraft(settled) }));
  }
  switch (settled.type) {
    case 'refused':
      return refuse(settled.text, settled.because === 'cancelled' ? 'cancelled' : 'refused', settled.reactions);
    case 'answered':
      return { type: 'refused', prepared, refusal: 'answered', result: successResult(id, settled.text), reactions: [] };
    case 'interrupted':
      return { type: 'paused', interrupts: [...interrupts, ...settled.interrupts] };
    case 'notAsked':
      if (interrupts.length > 0) return { type: 'paused', interrupts };
      return { type: 'run', prepared, tool, input: parsed.input, digest, reactions: [] };
    case 'approved':
      if (interrupts.length > 0) return { type: 'paused', interrupts };
      if (settled.editedInput !== undefined)
        return { type: 'edited', prepared, input: settled.editedInput, editedBy: settled.editedBy };
      return { type: 'run', prepared, tool, input: parsed.input, digest, reactions: settled.reactions };
  }
}

/** Adds the people who approved before the rest were asked. */
function named(settled: Settled, { approvers = [] }: Prepared): Settled {
  return settled.type === 'approved' ? { ...settled, approvers: [...approvers, ...settled.approvers] } : settled;
}
