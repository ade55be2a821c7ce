import {
  CHANGED,
  clone,
  GateChangedError,
  type Interrupt,
  InterruptError,
  type ToolUseBlock,
  thrownText,
} from '../../../../interventions/index.ts';
import { errorResult } from '../../transcript.ts';
import { CANCELLED_BY_HOOK, type ToolEnd, tellAfter } from '../after.ts';
import { aboutCall } from '../audit.ts';
import { successResult } from '../output.ts';
import { settleResult } from '../result.ts';
import type { Run } from '../run.ts';
import { CANCELLED } from '../stop.ts';
import type { ReadyToRun } from './answer.ts';
import { placeOf } from './evaluation.ts';
import type { CallStep } from './step.ts';

/** Starts an approved call when there is room for it, unless something has changed since. */
export async function execute(run: Run, answered: ReadyToRun): Promise<CallStep> {
  const leave = await run.workshop.enter(run.signal);
  try {
    const step = await start(run, answered);
    if (step.type !== 'ended') return step;
    // Judging the result takes no room from other calls.
    leave();
    return await settleResult(run, answered.prepared, { ...step.end, reactions: answered.reactions });
  } finally {
    leave();
  }
}

async function start(run: Run, answered: ReadyToRun): Promise<CallStep | (Ran & { readonly type: 'ended' })> {
  const { prepared, digest } = answered;
  const { event, evaluation } = prepared;
  const { toolUseId } = evaluation.toolUse;
  // The last check before anything happens: was the run stopped, and is this what was approved?
  run.check();
  if (event.cancel !== false) {
    const result = errorResult(toolUseId, event.cancel === true ? CANCELLED_BY_HOOK : event.cancel);
    return settleResult(run, prepared, { result, executed: false, refusal: 'denied' });
  }
  const about = () => aboutCall(toolUseId, event.effective(), run.options.hash);
  if (event.digest() !== digest) {
    run.audit(() => ({ kind: 'failure', binding: 'changed', ...about() }));
    if (run.options.whenChanged === 'deny' && prepared.noted.length > 0) {
      return settleResult(run, prepared, {
        result: errorResult(toolUseId, CHANGED),
        executed: false,
        refusal: 'refused',
      });
    }
    await tellAfter(run, prepared, 'The call changed after it was approved.');
    return { type: 'again', evaluation: { ...evaluation, round: evaluation.round + 1, grants: new Set() } };
  }
  // A date cannot be frozen. The tool gets one that no handler holds.
  const input = clone(answered.input);
  const toolUse: ToolUseBlock = { type: 'toolUse', toolUseId, ...event.effective() };
  await run.remember({ type: 'started', toolUse, original: evaluation.toolUse, digest });
  if (run.signal.aborted) {
    await run.remember({ type: 'unstarted', toolUseId });
    run.check();
  }
  run.audit(() => ({ kind: 'start', binding: 'same', ...about() }));
  run.show({ type: 'toolCallBegins', toolUse });
  const ran = await runTool(run, { ...answered, input }, toolUse);
  switch (ran.type) {
    case 'ended':
      return ran;
    case 'asks':
      await run.remember({ type: 'unstarted', toolUseId });
      return { type: 'paused', interrupts: ran.interrupts };
    case 'changed':
      await run.remember({ type: 'unstarted', toolUseId });
      await tellAfter(run, prepared, 'What allowed the call was gone.');
      return {
        type: 'again',
        evaluation: { ...evaluation, round: evaluation.round + 1, trustCounts: false, grants: new Set() },
      };
  }
}

type Ran =
  | { readonly type: 'ended'; readonly end: ToolEnd }
  | { readonly type: 'asks'; readonly interrupts: readonly Interrupt[] }
  | { readonly type: 'changed' };

/** Runs the tool. The model is told what it throws, except a question to people and a changed gate. */
async function runTool(run: Run, { prepared, tool, input, digest }: ReadyToRun, toolUse: ToolUseBlock): Promise<Ran> {
  const { toolUseId } = toolUse;
  const interrupt = run.book.raiser(placeOf(run, prepared.evaluation, 'tool'), { digest: () => digest });
  try {
    const { invocationState } = run.context();
    const output = await tool.run(input, {
      toolUse: { ...toolUse, input },
      digest,
      signal: run.signal,
      invocationState,
      interrupt,
    });
    return { type: 'ended', end: { result: successResult(toolUseId, output), executed: true } };
    // A tool may throw anything. The model gets it as an error result, unless the loop has to act on it.
  } catch (error) {
    if (error instanceof InterruptError) return { type: 'asks', interrupts: error.interrupts };
    if (error instanceof GateChangedError) return { type: 'changed' };
    const text = run.signal.aborted ? CANCELLED : thrownText(error);
    return { type: 'ended', end: { result: errorResult(toolUseId, text), executed: true, error } };
  }
}
