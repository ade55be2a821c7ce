import { type Interrupt, interruptId, type Json, type ToolUseBlock } from '../../../interventions/index.ts';
import { errorResult, keptUnder } from '../transcript.ts';
import { aboutCall } from './audit.ts';
import type { CallEnd } from './calls/step.ts';
import type { Run } from './run.ts';

const OUTCOME_UNKNOWN = 'countersign:outcome-unknown';
const ANSWERS = ['retry', 'skip', 'happened'] as const;

/**
 * Settles a call that was started and whose end is unknown. It may have happened, so it is not repeated: a person says
 * what to do. `undefined` when the call is to be evaluated again, as a new try with a new approval.
 */
export async function settleUnknown(run: Run, toolUse: ToolUseBlock): Promise<CallEnd | undefined> {
  const { toolUseId } = toolUse;
  const tried = keptUnder(run.state().pending?.tries, toolUseId) ?? 1;
  const place = { agentId: run.agentId, kind: 'tool', turn: run.state().turn ?? 0, attempt: tried, toolUseId } as const;
  const id = interruptId(place, OUTCOME_UNKNOWN);
  const chosen = choice(run.book.find(id)?.response);
  run.audit(() => ({
    kind: chosen === undefined ? 'question' : 'answer',
    action: OUTCOME_UNKNOWN,
    answer: chosen ?? 'waiting',
    ...aboutCall(toolUseId, toolUse, run.options.hash),
  }));
  switch (chosen) {
    case 'retry':
      await run.remember({ type: 'retried', toolUseId, attempt: tried + 1 });
      return undefined;
    case 'skip':
      return end(run, toolUse, 'It is not known whether this tool call happened. A person chose not to repeat it.');
    case 'happened':
      return end(run, toolUse, 'This tool call happened, a person says. Its result was lost.');
    case 'withdrawn':
      return end(run, toolUse, 'It is not known whether this tool call happened. The question about it was withdrawn.');
    case undefined: {
      const reason: Json = { kind: 'outcome-unknown', tool: toolUse.name, input: toolUse.input, answers: ANSWERS };
      const interrupt: Interrupt = { id, name: OUTCOME_UNKNOWN, source: 'tool', reason, answers: ANSWERS };
      run.book.put(interrupt, place);
      return { type: 'paused', interrupts: [interrupt] };
    }
  }
}

function choice(response: Json | undefined): (typeof ANSWERS)[number] | 'withdrawn' | undefined {
  if (typeof response === 'object' && response !== null && 'decision' in response && response.decision === 'cancelled')
    return 'withdrawn';
  return ANSWERS.find((answer) => answer === response);
}

async function end(run: Run, toolUse: ToolUseBlock, text: string): Promise<CallEnd> {
  const result = errorResult(toolUse.toolUseId, text);
  await run.remember({ type: 'result', result, executed: false });
  run.show({ type: 'toolCallEnds', toolUse, result, executed: false });
  return { type: 'finished' };
}
