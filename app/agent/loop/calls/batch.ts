import {
  AbortedError,
  AfterToolsEvent,
  BeforeToolsEvent,
  type HandlerReaction,
  type Interrupt,
  type Message,
  type ToolUseBlock,
} from '../../../../interventions/index.ts';
import { onFailure } from '../../on-failure.ts';
import { errorResult, type PendingBatch, toolUsesOf, WITHHELD } from '../../transcript.ts';
import { giveUp } from '../after.ts';
import { pauseRun } from '../pause.ts';
import type { Run } from '../run.ts';
import { CANCELLED, resultsOnStop } from '../stop.ts';
import { settleUnknown } from '../unknown.ts';
import type { AnsweredEvaluation } from './answer.ts';
import { answerOrGiveUp, complete, endIfKnown, ranCall, settleCall } from './call.ts';
import { firstEvaluation, type Prepared, prepare } from './evaluation.ts';
import type { CallEnd } from './step.ts';

export type BatchEnd =
  | { readonly type: 'finished'; readonly reactions: readonly HandlerReaction[] }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

/** Settles the unfinished calls of one answer. Each ends with one result, or the batch waits for people. */
export function runBatch(run: Run, pending: PendingBatch, resumed: boolean): Promise<BatchEnd> {
  return onFailure(
    () => settleBatch(run, pending, resumed),
    async (error) => {
      // A call, a handler or the record may fail, or the run was stopped. The pair of events is completed first.
      const results = resultsOnStop(run, error);
      run.abort(error);
      await run.close(new AfterToolsEvent(run.context(resumed), { results }));
    },
  );
}

async function settleBatch(run: Run, pending: PendingBatch, resumed: boolean): Promise<BatchEnd> {
  const { message } = pending;
  const place = { agentId: run.agentId, kind: 'beforeTools', turn: run.state().turn ?? 0, attempt: 1 } as const;
  const before = new BeforeToolsEvent(run.context(resumed), { message, interrupt: run.book.raiser(place) });
  const raised = await run.tell(before);
  run.check();
  if (raised.length > 0) return pauseRun(run, raised);
  const cancel = before.cancel;
  if (cancel !== false) {
    for (const toolUse of unfinished(run)) await refuse(run, toolUse, cancel === true ? CANCELLED : cancel);
    return { type: 'finished', reactions: pending.reactions ?? [] };
  }
  await refuseWhatCannotBeAsked(run, message);
  const unknown = await askAboutUnknown(run, pending);
  if (unknown.length > 0) return pauseRun(run, unknown);
  const ends = run.options.executor === 'sequential' ? await oneByOne(run, resumed) : await allTogether(run, resumed);
  const interrupts = ends.flatMap((end) => (end.type === 'paused' ? end.interrupts : []));
  if (interrupts.length > 0) return pauseRun(run, interrupts);
  // Calls that finished before a pause are not evaluated again, so their reactions were kept.
  const now = ends.flatMap((end) => (end.type === 'finished' ? (end.reactions ?? []) : []));
  return { type: 'finished', reactions: [...(pending.reactions ?? []), ...now] };
}

function unfinished(run: Run): readonly ToolUseBlock[] {
  const { pending } = run.state();
  if (pending === undefined) return [];
  const finished = new Set(pending.results.map(({ toolUseId }) => toolUseId));
  const calls = new Map(toolUsesOf(pending.message).map((toolUse) => [toolUse.toolUseId, toolUse]));
  return [...calls.values()].filter(({ toolUseId }) => !finished.has(toolUseId));
}

async function refuse(run: Run, toolUse: ToolUseBlock, text: string): Promise<void> {
  const result = errorResult(toolUse.toolUseId, ranCall(run, toolUse.toolUseId) === undefined ? text : WITHHELD);
  await run.remember({ type: 'result', result, executed: false });
  run.show({ type: 'toolCallEnds', toolUse, result, executed: false });
}

/** Refuses calls that share an id, because an answer could not tell them apart, and calls above the limit. */
async function refuseWhatCannotBeAsked(run: Run, message: Message): Promise<void> {
  const calls = toolUsesOf(message);
  const limit = run.limits.toolCallsPerTurn;
  for (const toolUse of unfinished(run)) {
    const same = calls.filter(({ toolUseId }) => toolUseId === toolUse.toolUseId);
    if (same.length > 1) await refuse(run, toolUse, 'Two calls of this answer have the same id, so neither ran.');
    else if (calls.indexOf(toolUse) >= limit) {
      await refuse(run, toolUse, `Only ${limit} tool calls fit in one answer, so this one did not run. Ask for fewer.`);
    }
  }
}

/** Asks about calls that may have happened already, before anything else happens. */
async function askAboutUnknown(run: Run, { started = [] }: PendingBatch): Promise<readonly Interrupt[]> {
  const interrupts: Interrupt[] = [];
  for (const toolUse of unfinished(run)) {
    if (!started.includes(toolUse.toolUseId)) continue;
    const end = await settleUnknown(run, toolUse);
    if (end?.type === 'paused') interrupts.push(...end.interrupts);
  }
  return interrupts;
}

/** Runs each call as soon as it is open or approved, without waiting for the others. */
async function allTogether(run: Run, resumed: boolean): Promise<readonly CallEnd[]> {
  return awaitAll(unfinished(run).map((toolUse) => settleCall(run, toolUse, resumed)));
}

/** Evaluates all calls and asks about all at once. They run one after the other, and not past one that waits. */
function oneByOne(run: Run, resumed: boolean): Promise<readonly CallEnd[]> {
  const prepared: Prepared[] = [];
  return onFailure(
    () => settleOneByOne(run, resumed, prepared),
    async (error) => {
      // A call failed or the run was stopped. Each prepared call needs its After-event before the error goes on.
      for (const one of prepared) await giveUp(run, one, error);
    },
  );
}

/** @param prepared gets each call before people are asked about it. */
async function settleOneByOne(run: Run, resumed: boolean, prepared: Prepared[]): Promise<readonly CallEnd[]> {
  for (const toolUse of unfinished(run))
    if (ranCall(run, toolUse.toolUseId) === undefined) await endIfKnown(run, toolUse);
  const calls = unfinished(run);
  // Sorted before any of them is settled, because the last result ends the batch and its record of calls that ran.
  const ran = calls.filter(({ toolUseId }) => ranCall(run, toolUseId) !== undefined);
  const others = calls.filter((call) => !ran.includes(call));
  const before = await awaitAll(ran.map((toolUse) => settleCall(run, toolUse, resumed)));
  for (const toolUse of others) {
    const one = await prepare(run, firstEvaluation(run, toolUse, resumed));
    prepared.push(one);
    if (pausesTheRest(run, one)) break;
  }
  const answers = prepared.map((one) => answerOrGiveUp(run, one));
  const ends = completeInOrder(run, { before, prepared }, answers);
  // A question may fail while an earlier call runs. That call ends first, and its result is recorded.
  await awaitAll<unknown>([ends, ...answers]);
  return ends;
}

/** In the `reference` profile, calls behind a waiting one are evaluated after its answer. */
function pausesTheRest({ profile }: Run, { interrupts, settled }: Prepared): boolean {
  return profile === 'reference' && (interrupts.length > 0 || settled?.type === 'interrupted');
}

async function completeInOrder(
  run: Run,
  { before, prepared }: { readonly before: readonly CallEnd[]; readonly prepared: readonly Prepared[] },
  answers: readonly Promise<AnsweredEvaluation>[],
): Promise<readonly CallEnd[]> {
  const ends: CallEnd[] = [...before];
  for (const [index, one] of prepared.entries()) {
    const answered = await answers[index];
    if (answered === undefined) continue;
    const waits = ends.some(({ type }) => type === 'paused');
    if (!waits) ends.push(await complete(run, one, answered));
    else if (answered.type === 'paused') ends.push(answered);
  }
  return ends;
}

/** Waits for all, then throws the failure that came first. */
async function awaitAll<Value>(ends: readonly Promise<Value>[]): Promise<readonly Value[]> {
  const settled = await Promise.allSettled(ends);
  const failures = settled.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  if (failures.length > 0) throw failures.find((error) => !(error instanceof AbortedError)) ?? failures[0];
  return settled.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}
