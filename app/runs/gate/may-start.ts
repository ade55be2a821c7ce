import { GateChangedError, type Json } from '../../../interventions/index.ts';
import type { Authority, Judgement, TrustAtWork } from '../../authority/index.ts';
import { given } from '../../given.ts';
import {
  approvalOf,
  decideOutdated,
  type GrantedCall,
  lastMs,
  type RunState,
  type StartGrant,
  type TrustedCall,
} from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Cards } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { StandingTrust } from '../../records/index.ts';
import type { Redaction } from '../../secrets/index.ts';
import type { AtStep } from '../../step.ts';
import { OutcomeUnknownError, seePrecondition, type Tool } from '../../tools/index.ts';
import type { ToolLog } from '../telling/tool-log.ts';
import { grantedCall } from './granted-call.ts';

/** Finds what allows a call to start right now. The tool runner asks here before it writes *started*. */

export interface MayStartDeps {
  readonly journal: RunJournal;
  readonly cards: Pick<Cards, 'settle'>;
  readonly trust: Pick<TrustAtWork, 'find' | 'use'>;
  readonly authority: Pick<Authority, 'judge' | 'policyOf'>;
  /** Aborted when the run is stopped, not when it is only parked: a tool that was started may finish. */
  readonly stopped: AbortSignal;
  /** Lost calls that may not be repeated after all. People are asked what became of them. */
  readonly notRepeated: Set<string>;
  readonly toolLog: ToolLog;
  readonly step: AtStep;
}

/** A failure of the tool itself, in the words that the model is told. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** A call that is about to start, with what was computed about it just now. */
export interface Starting {
  readonly tool: Tool;
  readonly input: Json;
  readonly call: string;
  readonly digest: string;
  readonly judged: Judgement;
}

/** A trust that covered the call a moment ago. The call is counted on it right before the start. */
interface Covering {
  readonly trust: StandingTrust;
  readonly granted: GrantedCall;
}

/** Finds what allows the call: a decision, a trust, or that the call is open. */
export async function findGrant(
  { trust, authority }: MayStartDeps,
  state: RunState,
  { tool, input, call, digest, judged }: Starting,
): Promise<{ readonly grant: StartGrant; readonly covering?: Covering }> {
  const approval = approvalOf(state, call);
  if (approval?.standing.status === 'decided') return { grant: { type: 'approval', approval: approval.id } };
  if (approval !== undefined) throw new GateChangedError('people are asked about it');
  if (judged.effect === 'denied') throw new GateChangedError('a rule denies it');
  if (judged.effect === 'open') {
    const rule = judged.ruledBy?.name;
    return { grant: { type: 'open', ...given({ rule }) } };
  }
  const granted = grantedCall(authority, state, { key: call, tool, input, digest });
  // The use of a trust was written when the call first began, and stays valid when the call is repeated.
  const begun = state.calls.get(call)?.execution;
  if (begun?.type === 'unknown' && begun.grant.type === 'trust') return { grant: begun.grant };
  const found = judged.effect === 'asked' ? await trust.find(granted) : undefined;
  if (found === undefined) throw new GateChangedError('no person has approved it');
  return { grant: { type: 'trust', grant: found.id }, covering: { trust: found, granted } };
}

/**
 * Reads the precondition right before the start. The append that starts the call compares it with what people were
 * shown. If it differs, that is written, so that no process goes on with the old approval, and people are asked again.
 */
export async function stillAsShown(
  { journal, cards, stopped, notRepeated, toolLog }: MayStartDeps,
  { approval }: Extract<StartGrant, { type: 'approval' }>,
  { tool, input, call, repeats }: Pick<Starting, 'tool' | 'input' | 'call'> & { readonly repeats: boolean },
): Promise<string | undefined> {
  const seen = await seePrecondition(tool, input, stopped, toolLog.failed({ call, tool, input }));
  if (seen?.type === 'blind') {
    if (!repeats) throw new ToolFailure(seen.problem);
    // The call began before, so the model must not hear that it did not run: people are asked what became of it.
    notRepeated.add(call);
    throw new GateChangedError(seen.problem);
  }
  const digest = seen?.precondition.digest;
  const committed = await journal.decide((state) => decideOutdated(state, approval, digest), 'holds');
  if (committed === 'outdated') {
    void cards.settle(journal);
    throw new GateChangedError('what it rests on has changed since it was shown');
  }
  return digest;
}

/**
 * Counts the call on its trust, as the last thing before *started*: of a trust that is stopped until then, the call does not
 * start. Returns until when it may start, and what its line in the thread shows, without secrets.
 */
export async function countOnTrust(
  deps: MayStartDeps & { readonly redaction: Redaction },
  about: { readonly tool: Tool; readonly input: Json; readonly call: string },
  covering: Covering | undefined,
): Promise<{ readonly trusted?: TrustedCall; readonly notAfterMs?: number }> {
  if (covering === undefined) return {};
  const { journal, redaction, toolLog, step } = deps;
  const { trust, granted } = covering;
  const { tool, input, call } = about;
  const sentence = tool.summarise(input, toolLog.failed(about));
  const { hidden } = await redaction.inTurns.input(tool, input);
  const summary = await redaction.inTurns.text(sentence, hidden);
  const used = await deps.trust.use(trust.id, { ...granted, run: journal.run, call });
  if (used === 'ended') throw new GateChangedError('the trust that covered it has ended');
  await step('trust-used');
  return { trusted: { by: trust.by, summary, line: trust.offer.line }, notAfterMs: lastMs(trust) };
}

/** The lease of a thread lasts longer, so no other process has written the call as unknown by then. */
const SURE_MS = LIMITS.leaseMs / 4;
/** A look at the precondition takes less. */
const LOOKED_MS = LIMITS.leaseMs;

interface WrittenStart {
  readonly call: string;
  readonly attempt: string;
  /** As it was seen right before. Absent: the call rests on nothing that can change. */
  readonly precondition: string | undefined;
  readonly repeats: boolean;
  /** When the process began to look at that. */
  readonly sinceMs: number;
}

/**
 * Looks once more before the tool begins, where the process heard late that its start is written: it stood still, or the store was
 * away. Another process may have written the call as unknown, and people may have had it repeated. And what the call rests on may
 * have changed: then the returned tool ends without running.
 */
export async function sureOfStart(
  { journal, elapsed, takenOver, toolLog }: SureOfStartDeps,
  tool: Tool,
  { call, attempt, precondition, repeats, sinceMs }: WrittenStart,
): Promise<Tool> {
  if (elapsed() - sinceMs < SURE_MS) return tool;
  const execution = (await journal.refresh())?.calls.get(call)?.execution;
  if (execution?.type !== 'started' || execution.attempt !== attempt)
    throw takenOver('it was written as unknown before its tool began');
  if (precondition === undefined || elapsed() - sinceMs < LOOKED_MS) return tool;
  const run: Tool['run'] = async (input, help) => {
    const seen = await seePrecondition(tool, input, help.signal, toolLog.failed({ call, tool, input }));
    if (seen?.type === 'seen' && seen.precondition.digest === precondition) return tool.run(input, help);
    // A call that is repeated began before, so the model must not hear that it did not run.
    throw repeats ? new OutcomeUnknownError(NOT_REPEATED) : new Error(NOT_RUN);
  };
  return { ...tool, run };
}

const NOT_RUN = 'it did not run, because what it rests on is not what was shown any more';
const NOT_REPEATED = 'It was not repeated, because what it rests on is not what was shown any more.';

interface SureOfStartDeps extends Pick<MayStartDeps, 'journal' | 'toolLog'> {
  readonly elapsed: () => number;
  readonly takenOver: (why: string) => Error;
}
