import { given } from '../../given.ts';
import type { ApprovalId, Verdict } from '../../records/index.ts';
import type { EntryBody, StartGrant } from '../facts/entries.ts';
import type { TrustedCall } from '../facts/trusted-lines.ts';
import { approvalOf, approvedDigest, approvedPrecondition, outdatedBy } from '../fold/queries/approvals.ts';
import { askedUnder, type Judged, judgedAlike } from '../fold/queries/judgement.ts';
import { isChosen, pendingQuestions } from '../fold/queries/questions.ts';
import type { CallState, RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';
import { withdrawals } from './questions.ts';

/** A wish to start a call. `effect` and `rule` are those of the deployment's present rules. */
export interface Start extends Judged {
  readonly call: string;
  readonly attempt: string;
  readonly tool: string;
  readonly definition: string;
  readonly digest: string;
  readonly grant: StartGrant;
  /** What the thread is told of the call, where it runs on a trust. */
  readonly trusted?: TrustedCall;
  /** The last time at which a call on a trust may start. */
  readonly notAfterMs?: number;
  /** Digest of the facts that the tool finds right now; absent when the tool has no precondition. */
  readonly precondition?: string;
  /** The tool declares that running it twice does no harm. */
  readonly idempotent?: boolean;
}

export type StartResult = { readonly type: 'start' } | { readonly type: 'refused'; readonly why: string };

/**
 * The last gate, in the same append that lets the tool start: this grant, for this call, with these bytes, once. The promise
 * rests on this check alone; all earlier checks are there to answer people sooner.
 */
export function decideStart(state: RunState, start: Start): Decided<StartResult> {
  const why = whyNot(state, start);
  if (why !== undefined) return nothing({ type: 'refused', why });
  const { call, attempt, tool, digest, definition, grant, trusted, precondition, notAfterMs } = start;
  const seen = given({ trusted, precondition });
  const again = state.calls.get(call)?.execution.type === 'none' ? {} : ({ repeats: true } as const);
  return {
    entries: [{ type: 'call-started', call, attempt, tool, digest, definition, grant, ...seen, ...again }],
    result: { type: 'start' },
    ...given({ notAfterMs }),
  };
}

/** The facts are no longer those that were shown: the approval becomes void, and people are asked again. */
export function decideOutdated(
  state: RunState,
  id: ApprovalId,
  digest: string | undefined,
): Decided<'outdated' | 'holds'> {
  const approval = state.approvals.get(id);
  if (approval === undefined || outdatedBy(approval) !== undefined) return nothing('holds');
  if (state.calls.get(approval.call)?.execution.type !== 'none') return nothing('holds');
  if (approvedPrecondition(approval)?.digest === digest) return nothing('holds');
  const seen = given({ digest });
  return { entries: [{ type: 'precondition-changed', approval: id, ...seen }], result: 'outdated' };
}

/**
 * Whether a call of unknown outcome may start again without asking. Its tool must declare itself idempotent and be unchanged.
 * The number of starts is limited, because the call may be what kills the process each time.
 */
export function mayRepeat(
  { execution, answer, doubt }: CallState,
  tool: { readonly name: string; readonly definition: string; readonly idempotent: boolean },
): boolean {
  if (execution.type !== 'unknown' || answer !== undefined || doubt !== undefined) return false;
  const same = execution.tool === tool.name && execution.definition === tool.definition;
  return tool.idempotent && same && execution.starts < MOST_STARTS;
}

const MOST_STARTS = 3;

function whyNot(state: RunState, start: Start): string | undefined {
  const { call: key, tool, effect, definition, digest, grant, precondition } = start;
  if (state.status.type !== 'running') return 'the run is over';
  const call = state.calls.get(key);
  if (call === undefined) return 'the model never asked for this call';
  if (call.execution.type !== 'none') {
    const again = mayRepeat(call, { name: tool, definition, idempotent: start.idempotent === true });
    const same = call.execution.digest === digest && sameGrant(call.execution.grant, grant);
    if (!again || !same) return 'it was started before';
  }
  if (call.answer !== undefined) return 'the model was already told how it came out';
  if (effect === 'denied') return 'a rule denies it';
  const approval = approvalOf(state, key);
  switch (grant.type) {
    // Once people were asked about a call, only their decision lets it start.
    case 'open':
      if (approval !== undefined) return 'people were asked about it';
      return effect === 'open' ? undefined : 'the tool is not free to run';
    case 'trust':
      if (approval !== undefined) return 'people were asked about it';
      // A trust whose uses are all counted is over without a person, and its last call starts.
      if (state.lines.get(grant.grant)?.over?.by !== undefined) return 'a person stopped the trust that covered it';
      return effect === 'asked' ? undefined : 'trust does not reach this tool';
    case 'approval':
      if (approval === undefined || approval.id !== grant.approval) return 'no person was asked about it';
      if (approval.standing.status !== 'decided') return 'no person has approved it';
      if (!RUNS.includes(approval.standing.decision.verdict)) return 'a person refused it';
      if (approvedDigest(approval) !== digest || approval.tool !== tool) return 'it is not what was shown';
      if (!judgedAlike(askedUnder(approval, digest), start))
        return 'the rules for it have changed since it was approved';
      if (outdatedBy(approval) !== undefined || approvedPrecondition(approval)?.digest !== precondition)
        return 'what it rests on has changed since it was shown';
      return approval.definition === definition ? undefined : 'the tool has changed since it was shown';
  }
}

/** The verdicts that let a call run. A verdict that is added later does not, until it is listed here. */
const RUNS: readonly Verdict[] = ['approve', 'trust'];

function sameGrant(one: StartGrant, other: StartGrant): boolean {
  switch (one.type) {
    case 'open':
      return other.type === 'open';
    case 'approval':
      return other.type === 'approval' && other.approval === one.approval;
    case 'trust':
      return other.type === 'trust' && other.grant === one.grant;
  }
}

/**
 * The end of a started call. It may come so late that another process has already written the call as unknown. Then it also
 * settles the doubt, unless a person has already chosen: a person's choice stands.
 */
export function decideFinish(
  state: RunState,
  end: {
    readonly call: string;
    readonly attempt: string;
    readonly ok: boolean;
    readonly ms: number;
    readonly limitMs?: number | undefined;
    readonly stopped?: true | undefined;
  },
): Decided<'finished' | 'finished-late' | 'not-mine'> {
  const execution = state.calls.get(end.call)?.execution;
  const isThisAttempt =
    (execution?.type === 'started' || execution?.type === 'unknown') && execution.attempt === end.attempt;
  if (!isThisAttempt || isChosen(state, end.call)) return nothing('not-mine');
  return {
    entries: [
      ...withdrawals(state, ({ kind, call }) => kind === 'inquiry' && call === end.call),
      { type: 'call-finished', ...end, item: state.items },
      ...pendingQuestions(state)
        .filter(({ kind, call }) => kind === 'doubt' && call === end.call)
        .map(({ id }) => ({ type: 'doubt-settled', doubt: id, how: 'finished' }) satisfies EntryBody),
    ],
    result: execution.type === 'unknown' ? 'finished-late' : 'finished',
  };
}

/** The process that started the call gives it up, unless its end is already written. */
export function decideAbandoned(
  state: RunState,
  end: { readonly call: string; readonly attempt: string; readonly limitMs?: number },
): Decided<'unknown' | 'not-mine'> {
  const execution = state.calls.get(end.call)?.execution;
  if (execution?.type !== 'started' || execution.attempt !== end.attempt) return nothing('not-mine');
  return { entries: [{ type: 'call-unknown', ...end }], result: 'unknown' };
}

/** After a crash: a call that another process started and did not finish may have run. It is written as unknown. */
export function decideUnknown(state: RunState, isMine: (attempt: string) => boolean): Decided<readonly string[]> {
  const lost = [...state.calls].flatMap(([call, { execution }]) =>
    execution.type === 'started' && !isMine(execution.attempt) ? [{ call, attempt: execution.attempt }] : [],
  );
  const stillMine = ({ call }: { readonly call: string }) => {
    const execution = state.calls.get(call)?.execution;
    return execution?.type === 'started' && isMine(execution.attempt);
  };
  return {
    entries: [
      ...withdrawals(state, (question) => question.kind === 'inquiry' && !stillMine(question)),
      ...lost.map(({ call, attempt }) => ({ type: 'call-unknown', call, attempt }) satisfies EntryBody),
    ],
    result: lost.map(({ call }) => call),
  };
}
