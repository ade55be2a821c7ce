import {
  grantKey,
  type Json,
  type ToolResultBlock,
  ToolResultEvent,
  type ToolUseBlock,
} from '../../../../interventions/index.ts';
import { onFailure } from '../../on-failure.ts';
import { errorResult, keptUnder, type RanCall } from '../../transcript.ts';
import { giveUp, tellAfter } from '../after.ts';
import { settleResult } from '../result.ts';
import type { Run } from '../run.ts';
import { type AnsweredEvaluation, answer } from './answer.ts';
import { type Evaluation, eventOf, firstEvaluation, type Prepared, prepare } from './evaluation.ts';
import { execute } from './execute.ts';
import type { CallEnd, CallStep } from './step.ts';

/** A call that keeps changing between approval and start is given up after this many rounds. */
const ROUNDS = 5;

/** Settles a call from its first evaluation to its end. A call that has run goes on from its result. */
export async function settleCall(run: Run, toolUse: ToolUseBlock, resumed: boolean): Promise<CallEnd> {
  const evaluation = firstEvaluation(run, toolUse, resumed);
  const ran = ranCall(run, toolUse.toolUseId);
  if (ran === undefined) return evaluate(run, evaluation);
  const prepared: Prepared = { ...NOTHING_OPEN, evaluation, event: eventOf(run, evaluation, ran.toolUse) };
  const { result, reactions = [] } = ran;
  const step = await settleResult(run, prepared, { result, executed: true, reactions });
  return step.type === 'again' ? evaluate(run, step.evaluation) : step;
}

const NOTHING_OPEN = { noted: [], interrupts: [], grants: new Set<string>(), guided: false, reactions: [] };

/** The record of a call that has run, while its result waits for people. */
export function ranCall(run: Run, toolUseId: string): RanCall | undefined {
  return keptUnder(run.state().pending?.ran, toolUseId);
}

/** Looks at the call again and again until it has come to rest. */
async function evaluate(run: Run, first: Evaluation): Promise<CallEnd> {
  for (let evaluation = first; ; ) {
    const known = await endIfKnown(run, evaluation.toolUse);
    if (known !== undefined) return known;
    const prepared = await prepare(run, evaluation);
    const step =
      evaluation.round > ROUNDS
        ? await refuseChanging(run, prepared)
        : await finish(run, prepared, await answerOrGiveUp(run, prepared));
    if (step.type !== 'again') return step;
    evaluation = step.evaluation;
  }
}

/** Ends a call whose outcome is known; `undefined` when it is to be evaluated. */
export async function endIfKnown(run: Run, toolUse: ToolUseBlock): Promise<CallEnd | undefined> {
  const known = await becameOf(run, toolUse);
  return known === undefined ? undefined : endWith(run, toolUse, known);
}

function becameOf(run: Run, toolUse: ToolUseBlock): Promise<ToolResultBlock | undefined> {
  return onFailure(
    () => run.options.becameOf?.(toolUse),
    (error) => {
      // A wait for a person may have been given up: `check` throws that. Any other failure ends the run.
      run.check();
      run.abort(error);
    },
  );
}

/** Ends a call with a known result, without evaluating it. */
async function endWith(run: Run, toolUse: ToolUseBlock, result: ToolResultBlock): Promise<CallEnd> {
  await run.remember({ type: 'result', result, executed: true });
  run.show({ type: 'toolCallEnds', toolUse, result, executed: true });
  if (!run.signal.aborted) await run.tell(new ToolResultEvent(run.context(), { toolUse, result }));
  return { type: 'finished' };
}

function refuseChanging(run: Run, prepared: Prepared): Promise<CallStep> {
  const text = 'What would run kept changing, so this tool call did not run.';
  const result = errorResult(prepared.evaluation.toolUse.toolUseId, text);
  return settleResult(run, prepared, { result, executed: false, refusal: 'denied' });
}

/** Takes an answered call to its end, for callers that evaluate and ask ahead. */
export async function complete(run: Run, prepared: Prepared, answered: AnsweredEvaluation): Promise<CallEnd> {
  const step = await finish(run, prepared, answered);
  return step.type === 'again' ? evaluate(run, step.evaluation) : step;
}

export function answerOrGiveUp(run: Run, prepared: Prepared): Promise<AnsweredEvaluation> {
  // Asking people may fail or be stopped. The After-event is told before the error goes on.
  return onFailure(
    () => answer(run, prepared),
    (error) => giveUp(run, prepared, error),
  );
}

/** Takes an answered call one step further. Any failure ends the invocation, and the After-event is still told. */
function finish(run: Run, prepared: Prepared, answered: AnsweredEvaluation): Promise<CallStep> {
  // Handlers and the record may fail, but not the tool. The After-event is told before the error goes on.
  return onFailure(
    () => take(run, answered),
    (error) => giveUp(run, prepared, error),
  );
}

function take(run: Run, answered: AnsweredEvaluation): Promise<CallStep> | CallStep {
  switch (answered.type) {
    case 'paused':
      return answered;
    case 'edited':
      return lookAtEdit(run, answered);
    case 'incomplete':
      return lookAgain(run, answered.prepared, answered.input);
    case 'refused': {
      const { prepared, result, refusal, reactions } = answered;
      return settleResult(run, prepared, { result, executed: false, refusal, reactions });
    }
    case 'run':
      return execute(run, answered);
  }
}

/** Looks again at the call with its completed input. People were not asked yet. */
async function lookAgain(run: Run, prepared: Prepared, input: Json): Promise<CallStep> {
  run.book.withdraw(prepared.interrupts);
  await tellAfter(run, prepared, 'The input was completed.');
  return { type: 'again', evaluation: { ...prepared.evaluation, edited: input, round: prepared.evaluation.round + 1 } };
}

/**
 * Looks again at the call as a person edited it. All handlers judge it. The approval of the edit holds for exactly this input, and
 * each other approval for the input before it.
 */
async function lookAtEdit(run: Run, edit: AnsweredEvaluation & { readonly type: 'edited' }): Promise<CallStep> {
  const { prepared, input, editedBy } = edit;
  const { event, evaluation, noted } = prepared;
  const after = run.digest({ name: event.effective().name, input });
  const before = event.digest();
  const grants = new Set(noted.map(({ handler: { name } }) => grantKey(name, name === editedBy ? after : before)));
  await tellAfter(run, prepared, 'A person edited the input.');
  return { type: 'again', evaluation: { ...evaluation, edited: input, round: evaluation.round + 1, grants } };
}
