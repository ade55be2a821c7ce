import {
  canonical,
  GateChangedError,
  type Json,
  type Timers,
  type ToolResultBlock,
} from '../../../interventions/index.ts';
import { onFailure, type ToolOutput } from '../../agent/index.ts';
import { given } from '../../given.ts';
import { approvalOf, decideAbandoned, decideFinish, isRetry, type RunState } from '../../journal/index.ts';
import type { Log } from '../../log.ts';
import type { Committed } from '../../recorder/index.ts';
import type { Redaction } from '../../secrets/index.ts';
import type { Tool, ToolRun } from '../../tools/index.ts';
import type { TrustedLines } from '../telling/trusted-lines.ts';
import { WORDS } from '../telling/words.ts';
import { type MayStartDeps, ToolFailure } from './may-start.ts';
import { untilWritten } from './until-written.ts';

export interface CallEndDeps extends Pick<MayStartDeps, 'journal' | 'cards' | 'step'> {
  readonly redaction: Redaction;
  /** The error for "another process has this run". The loop would tell the model of it, so nothing more may be written. */
  readonly takenOver: (why: string, cause?: unknown) => Error;
  readonly timers: Timers;
  readonly log: Log;
  readonly lines: TrustedLines;
}

/** A call that this process has started. */
export interface StartedCall {
  readonly tool: Tool;
  readonly input: Json;
  readonly call: string;
  readonly attempt: string;
  readonly toolUseId: string;
}

/** Writes how the call ended, and returns what the model is given. */
export function endCall(deps: CallEndDeps, work: StartedCall, outcome: ToolRun, ms: number): Promise<ToolOutput> {
  return outcome.type === 'abandoned' ? abandon(deps, work, outcome) : finish(deps, work, outcome, ms);
}

type Abandoned = Extract<ToolRun, { readonly type: 'abandoned' }>;

/** Writes that the outcome of the call is unknown, because its tool did not return. */
async function abandon(deps: CallEndDeps, work: StartedCall, { output, cause, limitMs }: Abandoned): Promise<never> {
  const { call, attempt, tool } = work;
  const facts = { call, attempt, ...given({ limitMs }) };
  const abandoned = await writeEnd(deps, work, (state) => decideAbandoned(state, facts));
  await deps.step('unknown-written');
  showEnd(deps);
  if (abandoned === 'late' || abandoned === 'not-mine') throw deps.takenOver('another process ended it');
  // A stopped run asks nothing more, and a call that is safe to repeat is for the model to try again.
  if (cause === 'aborted' || tool.idempotent) throw new ToolFailure(output);
  throw new GateChangedError('its outcome is unknown');
}

/** Writes *finished*, with the result that the model is given. A failure of the tool is thrown. */
async function finish(
  deps: CallEndDeps,
  work: StartedCall,
  outcome: Exclude<ToolRun, Abandoned>,
  ms: number,
): Promise<ToolOutput> {
  const { journal, redaction } = deps;
  const { tool, input, call, attempt, toolUseId } = work;
  const ok = outcome.type === 'succeeded';
  const why = outcome.type === 'failed' ? given({ limitMs: outcome.limitMs, stopped: outcome.stopped }) : {};
  const returned =
    typeof outcome.output === 'string' ? [{ type: 'text' as const, text: outcome.output }] : outcome.output;
  const shown = () => redaction.input(tool, input).shown;
  const notes = notesOn(journal.state(), call, shown).map((text) => ({ type: 'text' as const, text }));
  const content = [...notes, ...returned];
  const result: ToolResultBlock = { type: 'toolResult', toolUseId, status: ok ? 'success' : 'error', content };
  const finished = await writeEnd(deps, work, (state) => {
    const decided = decideFinish(state, { call, attempt, ok, ms, ...why });
    return { ...decided, items: decided.result === 'not-mine' ? [] : [JSON.stringify(result)] };
  });
  await deps.step('call-finished');
  showEnd(deps);
  // The process that wrote the call as unknown has the run in hand, and goes on with what was just written.
  if (finished !== 'finished') throw deps.takenOver('another process ended it');
  if (!ok) {
    const said = typeof outcome.output === 'string' ? outcome.output : 'The tool failed.';
    throw new ToolFailure([...notes.map(({ text }) => text), said].join('\n\n'));
  }
  return notes.length === 0 ? outcome.output : content;
}

function showEnd({ journal, cards, lines }: CallEndDeps): void {
  void cards.settle(journal);
  void lines.settle(journal);
}

/** Repeats the write, because only this process has the result. If it never succeeds, people say what became of the call. */
async function writeEnd<Result>(
  deps: CallEndDeps,
  { call, tool }: StartedCall,
  decide: Parameters<typeof deps.journal.decide<Result, 'not-mine'>>[0],
): Promise<Committed<Result | 'not-mine'>> {
  const { journal, cards, log, takenOver } = deps;
  const about = { run: journal.run, call, tool: tool.name };
  // A call that ended soon was not shown as running.
  const unwritten = { what: 'The end of a call', about, onRefused: async () => void cards.settle(journal) };
  return onFailure(
    () => untilWritten(deps, unwritten, () => journal.decide(decide, 'not-mine')),
    // Only a failure that no repetition mends arrives here. This process then lets go of the run.
    (error) => {
      log.error('The end of a call cannot be written, so its outcome is unknown.', { ...about, error });
      throw takenOver('the end of its call cannot be written', error);
    },
  );
}

/** Tells the model that its input was edited, or that an earlier attempt was lost. */
function notesOn(state: RunState | undefined, call: string, shown: () => Json): readonly string[] {
  return [
    ...(wasEdited(state, call) ? [WORDS.edited(canonical(shown()))] : []),
    ...(state !== undefined && isRetry(state, call) ? [WORDS.earlierAttempt] : []),
  ];
}

function wasEdited(state: RunState | undefined, call: string): boolean {
  const standing = state === undefined ? undefined : approvalOf(state, call)?.standing;
  return standing?.status === 'decided' && standing.decision.edit !== undefined;
}
