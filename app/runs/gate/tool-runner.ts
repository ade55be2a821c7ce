import { canonicalCall, GateChangedError, type Json } from '../../../interventions/index.ts';
import { type LoopTool, onFailure, type ParsedInput, type ToolOutput, type ToolRunContext } from '../../agent/index.ts';
import type { RunCaps } from '../../authority/index.ts';
import { given } from '../../given.ts';
import { callNow, decideStart, type StartResult, steeredBy } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import { SetBackError } from '../../recorder/index.ts';
import { StoreUnavailableError } from '../../store/index.ts';
import { definitionHash, runTool, type Tool, tooLarge } from '../../tools/index.ts';
import { LEFT } from '../story/taken-over.ts';
import type { Attempts } from './attempts.ts';
import { type CallEndDeps, endCall, type StartedCall } from './call-end.ts';
import { digestText } from './granted-call.ts';
import { known } from './known.ts';
import { countOnTrust, findGrant, type MayStartDeps, type Starting, stillAsShown, sureOfStart } from './may-start.ts';
import { hasUnknownEnd } from './who-decides.ts';

export interface ToolRunnerDeps extends MayStartDeps, CallEndDeps {
  readonly attempts: Attempts;
  readonly caps: Pick<RunCaps, 'take'>;
  /** Stops the run with these words for the thread, and returns the error to throw. No call starts after that. */
  readonly capReached: (words: string) => Promise<Error>;
  /** Ends the work of this process on the run with this failure of the store, and returns the error to throw. */
  readonly storeFailed: (failure: Error) => Error;
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
  return new GuardedTool(deps, tool);
}

/** A class, because each run has one for each tool of the deployment: they share their functions. */
class GuardedTool implements LoopTool {
  readonly #deps: ToolRunnerDeps;
  readonly #tool: Tool;

  constructor(deps: ToolRunnerDeps, tool: Tool) {
    this.#deps = deps;
    this.#tool = tool;
  }
  get name() {
    return this.#tool.name;
  }
  get description() {
    return this.#tool.description;
  }
  get inputSchema() {
    return this.#tool.inputSchema;
  }
  parse(input: Json): ParsedInput {
    const problem = tooLarge(input);
    return problem === undefined ? this.#tool.parse(input) : { ok: false, problem };
  }
  run(input: Json, context: ToolRunContext): Promise<ToolOutput> {
    return onFailure(
      () => run(this.#deps, this.#tool, input, context),
      (error) => {
        // A store that is away says nothing about the call: its yes stays, and the run goes on when the store is back.
        if (error instanceof StoreUnavailableError || error instanceof SetBackError)
          throw this.#deps.storeFailed(error);
      },
    );
  }
}

async function run(deps: ToolRunnerDeps, tool: Tool, input: Json, context: ToolRunContext): Promise<ToolOutput> {
  const { journal, attempts } = deps;
  const state = known(journal);
  const call = callNow(state, context.toolUse.toolUseId);
  const repeats = hasUnknownEnd(state, call);
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
  return attempts.run(journal.run, async (attempt) => {
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
  // Only a trust ends with time: any other call is late because a stop has left its run.
  if (started === 'late' && trusted.notAfterMs === undefined) throw deps.takenOver(LEFT);
  const result: StartResult = started === 'late' ? { type: 'refused', why: 'it is too late' } : started;
  if (result.type === 'refused') {
    const now = journal.state()?.calls.get(call)?.execution.type;
    const untouched = now === 'none' || (repeats && now === 'unknown');
    if (repeats) deps.notRepeated.add(call);
    throw untouched ? new GateChangedError(result.why) : deps.takenOver(result.why);
  }
  await deps.step('call-started');
  void lines.settle(journal);
}

async function execute(deps: ToolRunnerDeps, work: StartedCall): Promise<ToolOutput> {
  const { journal, cards, stopped, step, elapsed, toolLog } = deps;
  const { tool, input, call } = work;
  const beganMs = elapsed();
  const state = journal.state();
  const { thread, requester } = state ?? {};
  let thrown: unknown;
  const cancelShowing = deps.timers.after(LIMITS.showRunningMs, () => void cards.settle(journal));
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
  }).finally(cancelShowing);
  const ms = Math.round(elapsed() - beganMs);
  if (outcome.type !== 'succeeded') toolLog.failed(work)('run', thrown ?? outcome.output);
  await step('tool-returned');
  return endCall(deps, work, outcome, ms);
}
