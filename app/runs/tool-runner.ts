import { createHash } from 'node:crypto';
import { canonical, canonicalCall, type Json, type ToolResultBlock } from '../../interventions/index.ts';
import type { LoopTool, ToolOutput, ToolRunContext } from '../agent/ports.ts';
import type { Authority } from '../authority.ts';
import type { Cards } from '../cards.ts';
import { decideFinish, decideOutdated, decideStart, type StartResult } from '../journal/decide-start.ts';
import type { StartGrant } from '../journal/entries.ts';
import type { GrantedCall } from '../journal/grants.ts';
import { approvalOf, callNow, isRetry, type RunState } from '../journal/state.ts';
import { termsNow } from '../journal/terms.ts';
import type { Judgement } from '../policy.ts';
import type { Grant } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { Redaction } from '../secrets/redaction.ts';
import type { AtStep } from '../step.ts';
import { definitionHash, runTool, seePrecondition, type Tool } from '../tools/index.ts';
import type { TrustAtWork } from '../trust.ts';
import { WORDS } from './words.ts';

export interface ToolRunnerDeps {
  readonly journal: RunJournal;
  readonly cards: Cards;
  readonly trust: TrustAtWork;
  readonly redaction: Redaction;
  readonly authority: Pick<Authority, 'judge' | 'policyOf'>;
  /** Aborted when the run is stopped, not when it is only parked: a tool that was started may finish. */
  readonly stopped: AbortSignal;
  readonly attempts: Attempts;
  /** Thrown for "what allowed this call is gone": the loop evaluates the call again. */
  readonly gateChanged: (why: string) => Error;
  /** Thrown for "another process has this run". The loop would tell the model of it, so nothing more may be written. */
  readonly takenOver: (why: string) => Error;
  /** Calls that were to be repeated and may not be: people are asked about them. */
  readonly notRepeated: Set<string>;
  /** A call ran on a standing yes: the thread is to see it. */
  readonly onTrusted: (call: { readonly tool: Tool; readonly input: Json; readonly grant: Grant }) => void;
  readonly step: AtStep;
  readonly elapsed: () => number;
  /** For a tool that names no limit of its own. */
  readonly toolTimeoutMs: number;
  readonly toolOutputChars: number;
}

/** Which started calls are this process's own, and which of them still run. */
export interface Attempts {
  readonly begin: () => string;
  readonly isMine: (attempt: string) => boolean;
  readonly track: <Result>(work: Promise<Result>) => Promise<Result>;
  readonly allEnded: () => Promise<void>;
}

/** What a person was shown, in one short name. The same canonical text always has the same digest. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Runs one call through the last gate. *started* is written before the tool begins, in the append that checks that a
 * grant for exactly these bytes exists and is unused; *finished* is written right after. Nothing stands in between.
 */
export function guardedTool(deps: ToolRunnerDeps, tool: Tool): LoopTool {
  const { name, description, inputSchema, parse } = tool;
  return { name, description, inputSchema, parse, run: (input, context) => run(deps, tool, input, context) };
}

async function run(deps: ToolRunnerDeps, tool: Tool, input: Json, context: ToolRunContext): Promise<ToolOutput> {
  const { journal, cards, attempts } = deps;
  const state = journal.state();
  if (state === undefined) throw new Error('A tool belongs to a run, and this run has no journal.');
  const call = callNow(state, context.toolUse.toolUseId);
  const repeats = state.calls.get(call)?.execution.type === 'unknown';
  // Worked out here again, from what is about to run: a digest that was handed on proves nothing.
  const digest = digestText(canonicalCall({ name: tool.name, input }));
  const definition = definitionHash(tool);
  const { thread, requester } = state;
  // Asked once more, of what is about to run: rules are about inputs, and this is the input.
  const judged = deps.authority.judge({ tool, input, thread, requester });
  const granted = await findGrant(deps, state, { tool, input, call, digest, definition, judged });

  const precondition =
    granted.grant.type === 'approval'
      ? await stillAsShown(deps, granted.grant, { tool, input, call, repeats })
      : undefined;

  await deps.step('call-starting');
  const attempt = attempts.begin();
  const started = await journal.commit((now) =>
    now === undefined
      ? { entries: [], result: { type: 'refused', why: 'the run is gone' } satisfies StartResult }
      : decideStart(now, {
          call,
          attempt,
          tool: tool.name,
          ...termsNow(tool, judged),
          definition,
          digest,
          grant: granted.grant,
          ...(precondition === undefined ? {} : { precondition }),
          idempotent: tool.idempotent,
        }),
  );
  const result: StartResult = started.type === 'late' ? { type: 'refused', why: 'it is too late' } : started.result;
  if (result.type === 'refused') {
    const now = journal.state()?.calls.get(call)?.execution.type;
    const untouched = now === 'none' || (repeats && now === 'unknown');
    if (repeats) deps.notRepeated.add(call);
    throw untouched ? deps.gateChanged(result.why) : deps.takenOver(result.why);
  }
  await deps.step('call-started');
  void cards.settle(journal);
  if (granted.trust !== undefined) deps.onTrusted({ tool, input, grant: granted.trust });
  return attempts.track(execute(deps, { tool, input, call, attempt, toolUseId: context.toolUse.toolUseId }));
}

interface Starting {
  readonly tool: Tool;
  readonly input: Json;
  readonly call: string;
  readonly digest: string;
  readonly definition: string;
  readonly judged: Judgement;
}

/** What lets it start: nothing needed, the decision on it, or a trust that still covers it when it is used. */
async function findGrant(
  { journal, trust, authority, step, gateChanged }: ToolRunnerDeps,
  state: RunState,
  { tool, input, call, digest, definition, judged }: Starting,
): Promise<{ readonly grant: StartGrant; readonly trust?: Grant }> {
  const approval = approvalOf(state, call);
  if (approval?.standing.status === 'decided') return { grant: { type: 'approval', approval: approval.id } };
  if (approval !== undefined) throw gateChanged('people are asked about it');
  if (judged.effect === 'denied') throw gateChanged('a rule denies it');
  if (judged.effect === 'open') {
    const rule = judged.ruledBy?.name;
    return { grant: { type: 'open', ...(rule === undefined ? {} : { rule }) } };
  }
  const granted: GrantedCall = {
    team: state.thread.team,
    tool: tool.name,
    definition,
    policy: authority.policyOf(tool),
    digest,
    input,
    thread: state.thread,
    requester: state.requester,
  };
  // A use that is written stays good, and a repeated call has one.
  const begun = state.calls.get(call)?.execution;
  if (begun?.type === 'unknown' && begun.grant.type === 'trust') return { grant: begun.grant };
  const found = judged.effect === 'asked' ? await trust.find(granted) : undefined;
  if (found === undefined) throw gateChanged('nobody has said yes to it');
  const used = await trust.use(found.id, { ...granted, run: journal.run, call });
  if (used === 'ended') throw gateChanged('the trust that covered it has ended');
  await step('trust-used');
  return { grant: { type: 'trust', grant: found.id }, trust: found };
}

/**
 * The world right before the start; the append that starts the call compares it with what people were shown. If it is
 * another, that is written down, so that nobody ever goes on with the old yes, and people are asked again.
 */
async function stillAsShown(
  { journal, cards, stopped, gateChanged, notRepeated }: ToolRunnerDeps,
  { approval }: Extract<StartGrant, { type: 'approval' }>,
  { tool, input, call, repeats }: Pick<Starting, 'tool' | 'input' | 'call'> & { readonly repeats: boolean },
): Promise<string | undefined> {
  const seen = await seePrecondition(tool, input, stopped);
  if (seen?.type === 'blind') {
    if (!repeats) throw new ToolFailure(seen.problem);
    // It was begun before, so nobody may say that it did not run: people are asked what became of it.
    notRepeated.add(call);
    throw gateChanged(seen.problem);
  }
  const digest = seen?.precondition.digest;
  const committed = await journal.commit((state) =>
    state === undefined ? { entries: [], result: 'holds' as const } : decideOutdated(state, approval, digest),
  );
  if (committed.type === 'done' && committed.result === 'outdated') {
    void cards.settle(journal);
    throw gateChanged('what it rests on has changed since it was shown');
  }
  return digest;
}

async function execute(
  {
    journal,
    cards,
    redaction,
    stopped,
    gateChanged,
    takenOver,
    step,
    elapsed,
    toolTimeoutMs,
    toolOutputChars,
  }: ToolRunnerDeps,
  work: { tool: Tool; input: Json; call: string; attempt: string; toolUseId: string },
): Promise<ToolOutput> {
  const { tool, input, call, attempt, toolUseId } = work;
  const beganMs = elapsed();
  const { thread, requester } = journal.state() ?? {};
  const outcome = await runTool(tool, input, {
    signal: stopped,
    key: `${journal.run}/${call}`,
    thread,
    requester,
    timeoutMs: toolTimeoutMs,
    outputChars: toolOutputChars,
  });
  await step('tool-returned');
  if (outcome.type === 'abandoned') {
    await journal.commit((state) => ({
      entries: state === undefined ? [] : [{ type: 'call-unknown', call, attempt }],
      result: undefined,
    }));
    await step('unknown-written');
    void cards.settle(journal);
    // A stopped run asks nobody anything, and what does no harm twice is the model's to try again.
    if (outcome.cause === 'aborted' || tool.idempotent) throw new ToolFailure(outcome.output);
    throw gateChanged('nobody knows how it ended');
  }

  const ok = outcome.type === 'succeeded';
  const returned =
    typeof outcome.output === 'string' ? [{ type: 'text' as const, text: outcome.output }] : outcome.output;
  const asShown = redaction.input(tool, input).shown;
  const notes = notesOn(journal.state(), call, asShown).map((text) => ({ type: 'text' as const, text }));
  const content = [...notes, ...returned];
  const result: ToolResultBlock = { type: 'toolResult', toolUseId, status: ok ? 'success' : 'error', content };
  const finished = await journal.commit((state) => {
    if (state === undefined) return { entries: [], result: 'not-mine' as const };
    const decided = decideFinish(state, { call, attempt, ok, ms: Math.round(elapsed() - beganMs) });
    return { ...decided, items: decided.result === 'not-mine' ? [] : [JSON.stringify(result)] };
  });
  await step('call-finished');
  void cards.settle(journal);
  // Whoever called it unknown has the run in hand, and goes on with what was just written.
  if (finished.type === 'late' || finished.result !== 'finished') throw takenOver('another process ended it');
  if (!ok) {
    const why = typeof outcome.output === 'string' ? outcome.output : 'The tool failed.';
    throw new ToolFailure([...notes.map(({ text }) => text), why].join('\n\n'));
  }
  return notes.length === 0 ? outcome.output : content;
}

/** Without these the model would believe that its own input had run, and that it ran once. */
function notesOn(state: RunState | undefined, call: string, input: Json): readonly string[] {
  return [
    ...(wasEdited(state, call) ? [WORDS.edited(canonical(input))] : []),
    ...(state !== undefined && isRetry(state, call) ? [WORDS.earlierAttempt] : []),
  ];
}

function wasEdited(state: RunState | undefined, call: string): boolean {
  const standing = state === undefined ? undefined : approvalOf(state, call)?.standing;
  return standing?.status === 'decided' && standing.decision.edit !== undefined;
}

/** The tool's own failure, in the words the model is told. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** Attempts of one process. A restarted process starts with none, so what it finds started is not its own. */
export function createAttempts(newId: () => string): Attempts {
  const mine = new Set<string>();
  const running = new Set<Promise<unknown>>();
  return {
    begin: () => {
      const attempt = newId();
      mine.add(attempt);
      return attempt;
    },
    isMine: (attempt) => mine.has(attempt),
    track: (work) => {
      const ended = work.catch(() => {}).finally(() => running.delete(ended));
      running.add(ended);
      return work;
    },
    allEnded: async () => {
      await Promise.all(running);
    },
  };
}
