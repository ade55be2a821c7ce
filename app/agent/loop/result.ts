import {
  type AfterToolCallEvent,
  type HandlerReaction,
  type Interrupt,
  InterventionError,
  overrides,
  type ToolResultBlock,
  ToolResultEvent,
  type ToolUseBlock,
} from '../../../interventions/index.ts';
import { onFailure } from '../on-failure.ts';
import { errorResult, keptUnder, WITHHELD } from '../transcript.ts';
import { afterEvent, type ToolEnd } from './after.ts';
import { firstEvaluation, type Prepared, placeOf } from './calls/evaluation.ts';
import type { CallStep } from './calls/step.ts';
import { askAbout, asksSomebody } from './moment.ts';
import { successResult } from './output.ts';
import type { Run } from './run.ts';

/** Ends a try. After-handlers may still change what is stored, ask for another try, or ask people. */
export async function settleResult(run: Run, prepared: Prepared, end: ToolEnd): Promise<CallStep> {
  // The result of a call that ran is kept even after an abort. A call that did not run gets none.
  if (!end.executed) run.check();
  const { evaluation } = prepared;
  const { toolUseId } = evaluation.toolUse;
  const judged = await judgeOrGiveUp(run, prepared, end);
  if (judged.type === 'paused') return judged;
  run.book.withdraw(run.book.list().filter((question) => question.toolUseId === toolUseId));
  if (judged.type === 'retry') {
    await run.remember({ type: 'retried', toolUseId, attempt: evaluation.tryNumber + 1 });
    return {
      type: 'again',
      evaluation: {
        ...firstEvaluation(run, evaluation.toolUse, evaluation.resumed),
        tryNumber: evaluation.tryNumber + 1,
      },
    };
  }
  const { result } = judged;
  const { executed } = end;
  const reactions = [...(end.reactions ?? []), ...judged.reactions];
  await run.remember({ type: 'result', result, executed, ...(reactions.length === 0 ? {} : { reactions }) });
  run.audit(() => ({
    kind: 'end',
    toolUseId,
    tool: prepared.event.effective().name,
    action: end.executed ? result.status : (end.refusal ?? 'denied'),
  }));
  run.show({ type: 'toolCallEnds', toolUse: evaluation.toolUse, result, executed: end.executed });
  if (!run.signal.aborted) await run.tell(new ToolResultEvent(run.context(), { toolUse: evaluation.toolUse, result }));
  return { type: 'finished', reactions };
}

type Judged =
  | { readonly type: 'stored'; readonly result: ToolResultBlock; readonly reactions: readonly HandlerReaction[] }
  | { readonly type: 'retry' }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

function judgeOrGiveUp(run: Run, prepared: Prepared, end: ToolEnd): Promise<Judged> {
  return onFailure(
    () => judge(run, prepared, end),
    async (error) => {
      // A handler failed or the run was stopped. What ran is recorded before the error goes on.
      run.abort(error);
      const { toolUseId } = prepared.evaluation.toolUse;
      const waits =
        keptUnder(run.state().pending?.ran, toolUseId) !== undefined && run.options.signal?.reason === 'parked';
      if (end.executed && !waits) {
        await run.remember({ type: 'result', result: unjudged(run, end.result), executed: true });
      }
    },
  );
}

async function judge(run: Run, prepared: Prepared, end: ToolEnd): Promise<Judged> {
  const { evaluation } = prepared;
  const { toolUseId } = evaluation.toolUse;
  const place = placeOf(run, evaluation, 'afterToolCall');
  const after = afterEvent(run, prepared, end, end.executed ? place : undefined);
  const dispatched = await run.ask(after);
  if (typeof after.result !== 'object' || after.result === null || !Array.isArray(after.result.content)) {
    throw new InterventionError(
      'A handler or callback left no result after a tool call. Set it to { type: "toolResult", toolUseId, status, content }.',
    );
  }
  const result = { ...after.result, toolUseId };
  if (run.signal.aborted) return stored(end.executed ? unjudged(run, result) : result);
  if (after.retry && evaluation.tryNumber <= run.limits.retries) return { type: 'retry' };
  if (!end.executed || !asksSomebody(dispatched)) return stored(result);
  const toolUse: ToolUseBlock = { type: 'toolUse', toolUseId, ...prepared.event.effective() };
  await rememberRan(run, toolUse, end);
  const said = await askAbout(run, { event: after, place, subject: 'toolResult', dispatched, toolUse });
  switch (said.type) {
    case 'approved':
      return stored({ ...after.result, toolUseId }, said.reactions);
    case 'refused':
      return stored(errorResult(toolUseId, said.text), said.reactions);
    case 'answered':
      return stored(successResult(toolUseId, said.text));
    case 'paused':
      // A direct call cannot wait, and what ran cannot be undone.
      return run.options.mode === 'direct' ? stored(errorResult(toolUseId, WITHHELD)) : said;
  }
}

const stored = (result: AfterToolCallEvent['result'], reactions: readonly HandlerReaction[] = []): Judged => ({
  type: 'stored',
  result,
  reactions,
});

/** Records that the call ran, before people are asked about its result, so that no restart runs it again. */
async function rememberRan(run: Run, toolUse: ToolUseBlock, { result, reactions = [] }: ToolEnd): Promise<void> {
  if (keptUnder(run.state().pending?.ran, toolUse.toolUseId) !== undefined) return;
  await run.remember({ type: 'ran', toolUse, result, ...(reactions.length === 0 ? {} : { reactions }) });
}

/** The result of a call whose handlers did not all judge it. It is withheld if a handler may have wanted to ask people. */
function unjudged(run: Run, result: ToolResultBlock): ToolResultBlock {
  const guarded = run.pipeline.handlers.some(
    (handler) => handler.confirmEverywhere === true && overrides(handler, 'afterToolCall'),
  );
  return guarded ? errorResult(result.toolUseId, WITHHELD) : result;
}
