import {
  canonical,
  canonicalCall,
  type Json,
  type Timers,
  type ToolResultBlock,
} from '../../../interventions/index.ts';
import { type LoopTool, onFailure, type ToolOutput, type ToolRunContext } from '../../agent/index.ts';
import type { RunCaps } from '../../authority/index.ts';
import { given } from '../../given.ts';
import {
  approvalOf,
  callNow,
  decideAbandoned,
  decideFinish,
  decideStart,
  isRetry,
  type RunState,
  type StartResult,
  steeredBy,
} from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { type Committed, SetBackError } from '../../recorder/index.ts';
import type { Redaction } from '../../secrets/index.ts';
import { StoreUnavailableError } from '../../store/index.ts';
import { definitionHash, runTool, type Tool, tooLarge } from '../../tools/index.ts';
import type { TrustedLines } from '../telling/trusted-lines.ts';
import { WORDS } from '../telling/words.ts';
import type { Attempts } from './attempts.ts';
import { digestText } from './granted-call.ts';
import { known } from './known.ts';
import { countOnTrust, findGrant, type MayStartDeps, type Starting, stillAsShown, sureOfStart } from './may-start.ts';
import { ToolFailure } from './tool-failure.ts';
import { untilWritten } from './until-written.ts';

export interface ToolRunnerDeps extends MayStartDeps {
  readonly redaction: Redaction;
  readonly attempts: Attempts;
  readonly caps: Pick<RunCaps, 'take'>;
  /** Stops the run with these words for the thread, and returns the error to throw. No call starts after that. */
  readonly capReached: (words: string) => Promise<Error>;
  /** Ends the work of this process on the run with this failure of the store, and returns the error to throw. */
  readonly storeFailed: (failure: Error) => Error;
  /** The error for "another process has this run". The loop would tell the model of it, so nothing more may be written. */
  readonly takenOver: (why: string, cause?: unknown) => Error;
  readonly timers: Timers;
  readonly log: Log;
  readonly lines: TrustedLines;
  readonly elapsed: () => number;
  /** The limit for a tool that names none. */
  readonly toolTimeoutMs: number;
  readonly toolOutputChars: number;
}

/**
 * Runs one call through the last gate. *started* is written before the tool begins, in the append that checks that an
 * unused grant for exactly these bytes exists. *finished* is written right after the tool.
 */
export function guardedTool(deps: ToolRunnerDeps, tool: Tool): LoopTool {
  const { name, description, inputSchema, parse } = tool;
  return {
    ...{ name, description, inputSchema },
    parse: (input) => {
      const problem = tooLarge(input);
      return problem === undefined ? parse(input) : { ok: false, problem };
    },
    run: (input, context) =>
      onFailure(
        () => run(deps, tool, input, context),
        (error) => {
          // A store that is away says nothing about the call: its yes stays, and the run goes on when the store is back.
          if (error instanceof StoreUnavailableError || error instanceof SetBackError) throw deps.storeFailed(error);
        },
      ),
  };
}

async function run(deps: ToolRunnerDeps, tool: Tool, input: Json, context: ToolRunContext): Promise<ToolOutput> {
  const { journal, attempts } = deps;
  const state = known(journal);
  const call = callNow(state, context.toolUse.toolUseId);
  const repeats = state.calls.get(call)?.execution.type === 'unknown';
  // Computed again from what is about to run: a digest that was handed on proves nothing.
  const digest = digestText(canonicalCall({ name: tool.name, input }));
  const { thread, requester } = state;
  // Judged again, because rules look at the input, and this is the input that runs.
  const judged = deps.authority.judge({ tool, input, thread, requester });
  const starting: Starting = { tool, input, call, digest, judged };
  const granted = await findGrant(deps, state, starting);

  const sinceMs = deps.elapsed();
  const precondition =
    granted.grant.type === 'approval'
      ? await stillAsShown(deps, granted.grant, { tool, input, call, repeats })
      : undefined;

  const reached = await deps.caps.take(state, { key: `${journal.run}/${call}`, tool: tool.name, what: 'calls' });
  if (reached !== undefined) throw await deps.capReached(reached);

  await deps.step('call-starting');
  return attempts.run(async (attempt) => {
    await begin(deps, { ...starting, precondition, granted, repeats, attempt });
    const sure = await sureOfStart(deps, tool, { call, attempt, precondition, repeats, sinceMs });
    return execute(deps, { tool: sure, input, call, attempt, toolUseId: context.toolUse.toolUseId });
  });
}

interface Beginning extends Starting {
  readonly granted: Awaited<ReturnType<typeof findGrant>>;
  readonly precondition: string | undefined;
  readonly repeats: boolean;
  readonly attempt: string;
}

/** Writes *started*, or throws why this call does not start here. */
async function begin(
  deps: ToolRunnerDeps,
  { tool, input, call, digest, judged, granted, precondition, repeats, attempt }: Beginning,
): Promise<void> {
  const { journal, lines } = deps;
  const trusted = await countOnTrust(deps, { tool, input, call }, granted.covering);
  const started = await journal.commit((now) =>
    now === undefined
      ? { entries: [], result: { type: 'refused', why: 'the run is gone' } satisfies StartResult }
      : decideStart(now, {
          call,
          attempt,
          tool: tool.name,
          ...judged,
          definition: definitionHash(tool),
          digest,
          grant: granted.grant,
          ...trusted,
          ...given({ precondition }),
          idempotent: tool.idempotent,
        }),
  );
  const result: StartResult = started === 'late' ? { type: 'refused', why: 'it is too late' } : started;
  if (result.type === 'refused') {
    const now = journal.state()?.calls.get(call)?.execution.type;
    const untouched = now === 'none' || (repeats && now === 'unknown');
    if (repeats) deps.notRepeated.add(call);
    throw untouched ? deps.gateChanged(result.why) : deps.takenOver(result.why);
  }
  await deps.step('call-started');
  void lines.settle(journal);
}

interface Work {
  readonly tool: Tool;
  readonly input: Json;
  readonly call: string;
  readonly attempt: string;
  readonly toolUseId: string;
}

async function execute(deps: ToolRunnerDeps, work: Work): Promise<ToolOutput> {
  const { journal, cards, lines, redaction, stopped, gateChanged, takenOver, step, elapsed, toolLog } = deps;
  const { tool, input, call, attempt, toolUseId } = work;
  const beganMs = elapsed();
  const state = journal.state();
  const { thread, requester } = state ?? {};
  let thrown: unknown;
  const showNot = deps.timers.after(LIMITS.showRunningMs, () => void cards.settle(journal));
  const outcome = await runTool(tool, input, {
    signal: stopped,
    key: `${journal.run}/${call}`,
    thread,
    requester,
    steeredBy: state && steeredBy(state, call),
    log: (text) => toolLog.said(work, text),
    threw: (error) => {
      thrown = error;
    },
    timeoutMs: deps.toolTimeoutMs,
    outputChars: deps.toolOutputChars,
  }).finally(showNot);
  const ms = Math.round(elapsed() - beganMs);
  if (outcome.type !== 'succeeded') toolLog.failed(work, 'run', thrown ?? outcome.output);
  await step('tool-returned');
  const limit = 'limitMs' in outcome ? given({ limitMs: outcome.limitMs }) : {};
  const stop = outcome.type === 'failed' ? given({ stopped: outcome.stopped }) : {};
  if (outcome.type === 'abandoned') {
    const abandoned = await writeEnd(deps, work, (state) => decideAbandoned(state, { call, attempt, ...limit }));
    await step('unknown-written');
    void cards.settle(journal);
    void lines.settle(journal);
    if (abandoned === 'late' || abandoned === 'not-mine') throw takenOver('another process ended it');
    // A stopped run asks nothing more, and a call that is safe to repeat is for the model to try again.
    if (outcome.cause === 'aborted' || tool.idempotent) throw new ToolFailure(outcome.output);
    throw gateChanged('its outcome is unknown');
  }

  const ok = outcome.type === 'succeeded';
  const returned =
    typeof outcome.output === 'string' ? [{ type: 'text' as const, text: outcome.output }] : outcome.output;
  const shown = () => redaction.input(tool, input).shown;
  const notes = notesOn(journal.state(), call, shown).map((text) => ({ type: 'text' as const, text }));
  const content = [...notes, ...returned];
  const result: ToolResultBlock = { type: 'toolResult', toolUseId, status: ok ? 'success' : 'error', content };
  const finished = await writeEnd(deps, work, (state) => {
    const decided = decideFinish(state, { call, attempt, ok, ms, ...limit, ...stop });
    return { ...decided, items: decided.result === 'not-mine' ? [] : [JSON.stringify(result)] };
  });
  await step('call-finished');
  void cards.settle(journal);
  void lines.settle(journal);
  // The process that wrote the call as unknown has the run in hand, and goes on with what was just written.
  if (finished !== 'finished') throw takenOver('another process ended it');
  if (!ok) {
    const why = typeof outcome.output === 'string' ? outcome.output : 'The tool failed.';
    throw new ToolFailure([...notes.map(({ text }) => text), why].join('\n\n'));
  }
  return notes.length === 0 ? outcome.output : content;
}

/** Repeats the write, because only this process has the result. If it never succeeds, people say what became of the call. */
async function writeEnd<Result>(
  deps: ToolRunnerDeps,
  { call, tool }: Work,
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
