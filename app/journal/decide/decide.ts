import { given } from '../../given.ts';
import type { ApprovalId, CardReceipt, Thread, TrustId, TrustOffer, UserId, Verdict } from '../../records/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import type { AskedApproval, StoredDecision } from '../fold/asked.ts';
import { pendingApprovals } from '../fold/queries/approvals.ts';
import { isSame, stoodAt } from '../fold/queries/lost-cards.ts';
import { needsSeveral, quorumProgress, yesesLeft } from '../fold/queries/quorum.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';
import { withdrawals } from './questions.ts';
import { rulesChanged, type ToolNow, toolChanged } from './rules-changed.ts';

export interface PressFacts {
  readonly approval: ApprovalId;
  readonly verdict: Verdict;
  readonly by: UserId;
  readonly reason?: string;
  /** The result of the call, in place of the tool's; only with the verdict `answer`. */
  readonly answer?: string;
  /** The pressed card; absent for a press in a full view. */
  readonly card?: CardReceipt;
  /** The id the trust will have, if the verdict is trust. */
  readonly grant?: TrustId;
  /** Terms other than the card's; only with the verdict `trust`. */
  readonly trust?: TrustOffer;
  /** The input to run in place of the one asked for; only with the verdict `approve`. */
  readonly edit?: NonNullable<StoredDecision['edit']>;
  /**
   * Judged just now by `mayDecide` and the card's own rules. `stages`: the stages in which this person may decide; absent
   * means all. `outdated`: the person may decide, and today's rules differ from the card's, or `tool` was changed or
   * removed; then only a denial counts.
   */
  readonly right:
    | { readonly type: 'allowed'; readonly stages?: readonly number[] }
    | { readonly type: 'outdated'; readonly why: string; readonly tool?: ToolNow }
    | { readonly type: 'refused'; readonly why: string; readonly notNamed?: true };
  /** The person was shown in a form of its own what this call does, and submitted it. */
  readonly confirmed?: boolean;
  /** Pressed on the page behind the deployment's own sign-on, not in Slack. */
  readonly onWeb?: boolean;
  /** People whose earlier approval would not count now. */
  readonly lost?: readonly UserId[];
  /** Whether the pressed card offered this verdict. */
  readonly drawn: boolean;
  readonly refusedPressesKept: number;
}

export type PressResult =
  | 'decided'
  /** Counted as one of several approvals. */
  | 'counted'
  | 'counted-before'
  /** This yes would count, and the call is guarded: the person has to confirm it first. */
  | 'unconfirmed'
  /** It is another stage's turn. */
  | 'not-your-turn'
  | 'settled'
  /** The rules have changed: the question is withdrawn, and asked anew. */
  | 'outdated'
  | 'not-yours'
  | 'not-offered'
  | 'unknown';

/** Turns a press into a decision, or returns why it is none. The first decision stands. */
export function decidePress(state: RunState, press: PressFacts): Decided<PressResult> {
  const approval = state.approvals.get(press.approval);
  if (approval === undefined) return nothing('unknown');
  if (approval.standing.status !== 'pending') return refused(approval, press, 'settled', 'settled before');
  if (press.right.type === 'refused') return refused(approval, press, 'not-yours', press.right.why);
  const offered =
    offers(approval, press.verdict) &&
    (approval.secondFactor === true) === (press.onWeb === true) &&
    (press.answer !== undefined) === (press.verdict === 'answer') &&
    (press.edit === undefined || press.verdict === 'approve') &&
    (press.trust === undefined || press.verdict === 'trust') &&
    // Where several approve, one of them may not change the input, answer, or give trust for all.
    !(needsSeveral(approval.rule) && (press.edit !== undefined || ALONE.includes(press.verdict)));
  if (!press.drawn || !standsWhere(approval, state.thread, press.card) || !offered) {
    return refused(approval, press, 'not-offered', 'the card does not offer this');
  }
  if (press.right.type === 'outdated' && press.verdict !== 'deny') {
    const { tool } = press.right;
    const { entries } = refused(
      approval,
      press,
      'outdated',
      tool === undefined ? 'the rules have changed' : `the tool was ${tool}`,
    );
    const takenBack = tool === undefined ? rulesChanged(approval.id) : toolChanged(approval.id, tool);
    return { entries: [...entries, takenBack], result: 'outdated' };
  }
  const hold = howFar(approval, press, press.right.type === 'allowed' ? press.right.stages : undefined);
  if (isUnconfirmed(approval, press) && (hold === 'last' || hold.result === 'counted')) return nothing('unconfirmed');
  if (hold !== 'last') return hold;
  return {
    entries: [
      {
        type: 'call-decided',
        approval: approval.id,
        verdict: press.verdict,
        by: press.by,
        ...onWeb(press),
        ...given({
          reason: press.reason,
          answer: press.answer,
          grant: press.grant,
          trust: press.trust,
          edit: press.edit,
        }),
      },
    ],
    result: 'decided',
    notAfterMs: approval.expiresAtMs,
  };
}

const onWeb = ({ onWeb }: PressFacts) => (onWeb === true ? { onWeb } : {});

/** A guarded call takes two presses, also as edited. The page outside of Slack is the second. */
function isUnconfirmed({ effect }: AskedApproval, { verdict, edit, onWeb, confirmed }: PressFacts): boolean {
  const guarded = effect === 'guarded' || edit?.terms?.effect === 'guarded';
  return guarded && verdict === 'approve' && onWeb !== true && confirmed !== true;
}

/** Any approver's denial ends the question. An approval counts once for each person, in the present stage. */
function howFar(
  approval: AskedApproval,
  press: PressFacts,
  stages: readonly number[] | undefined,
): Decided<PressResult> | 'last' {
  const { kept, dropped } = yesesLeft(approval.rule, approval.yeses, press.lost ?? []);
  const { stage, last } = quorumProgress(approval.rule, kept);
  if (press.verdict === 'deny') {
    const passed = stages !== undefined && !stages.some((one) => one >= stage);
    return passed ? refused(approval, press, 'not-your-turn', 'their stage is over') : 'last';
  }
  if (kept.some(({ by }) => by === press.by)) {
    return refused(approval, press, 'counted-before', 'their yes counts already');
  }
  const gone = dropped.map((by) => ({ type: 'yes-dropped', approval: approval.id, by }) satisfies EntryBody);
  if (stages?.includes(stage) === false) {
    const refusal = refused(approval, press, 'not-your-turn', 'others come first');
    return { ...refusal, entries: [...gone, ...refusal.entries] };
  }
  if (last) return 'last';
  return {
    entries: [...gone, { type: 'yes-counted', approval: approval.id, by: press.by, ...onWeb(press) }],
    result: 'counted',
    notAfterMs: approval.expiresAtMs,
  };
}

/** Verdicts that one of several approvers cannot give for all of them. */
const ALONE: readonly Verdict[] = ['trust', 'answer'];

/** Trust never covers a guarded tool, even if a button offers it. A question that wants only words is never approved. */
function offers(approval: AskedApproval, verdict: Verdict): boolean {
  if (approval.wants !== undefined) return verdict === 'answer' || verdict === 'deny';
  return verdict !== 'trust' || (approval.effect === 'asked' && approval.trust !== undefined);
}

/** A copy of the card elsewhere decides nothing. Until the receipt is stored, only the channel is compared. */
function standsWhere(approval: AskedApproval, thread: Thread, card: CardReceipt | undefined): boolean {
  if (card === undefined) return true;
  if (stoodAt(approval, card)) return true;
  if (approval.card === undefined) return card.channel === thread.channel;
  return isSame(approval.card, card);
}

/** A refused press changes nothing. It is recorded, up to a limit. */
function refused(
  approval: AskedApproval,
  { by, verdict, refusedPressesKept }: PressFacts,
  result: PressResult,
  why: string,
): Decided<PressResult> {
  if (approval.refusedPresses >= refusedPressesKept) return nothing(result);
  return { entries: [{ type: 'press-refused', approval: approval.id, by, verdict, why }], result };
}

export function decideExpiry(
  state: RunState,
  id: ApprovalId,
  nowMs: number,
): Decided<'expired' | 'not-yet' | 'settled'> {
  const approval = state.approvals.get(id);
  if (approval?.standing.status !== 'pending') return nothing('settled');
  if (nowMs < approval.expiresAtMs) return nothing('not-yet');
  return { entries: [{ type: 'call-expired', approval: id }], result: 'expired' };
}

export function decideCancel(state: RunState, id: ApprovalId, cause: string): Decided<'cancelled' | 'settled'> {
  if (state.approvals.get(id)?.standing.status !== 'pending') return nothing('settled');
  return { entries: [{ type: 'call-cancelled', approval: id, cause }], result: 'cancelled' };
}

/**
 * Written so that no card and no line offers to end the trust any more, also of a call that is about to start on its last use.
 * The end itself is in the trust's journal.
 */
export function decideTrustOver(state: RunState, grant: TrustId, by: UserId | undefined): Decided<'ended' | 'known'> {
  if (state.lines.get(grant)?.over !== undefined) return nothing('known');
  return { entries: [{ type: 'trust-over', grant, ...given({ by }) }], result: 'ended' };
}

/** Asking again decides nothing. It is a new request to the agent, whose calls need approval as usual. */
export function decideAskedAgain(
  state: RunState,
  id: ApprovalId,
  by: UserId,
): Decided<'asked' | 'asked-before' | 'not-expired' | 'not-yours'> {
  const standing = state.approvals.get(id)?.standing;
  if (standing?.status !== 'expired') return nothing('not-expired');
  if (by !== state.requester) return nothing('not-yours');
  if (standing.askedAgain !== undefined) return nothing('asked-before');
  return { entries: [{ type: 'asked-again', approval: id, by }], result: 'asked' };
}

/** Slack takes no posts for the thread any more: the run stops, and owes no posts. */
export function decideUnheard(state: RunState, cause: string): Decided<'stopped' | 'over'> {
  const { entries, result } = decideStop(state, { cause });
  return { entries: state.unheard ? entries : [...entries, { type: 'unheard', cause }], result };
}

/** Stopping is always safe. Open questions are cancelled; started calls run to their end. */
export function decideStop(
  state: RunState,
  { cause, by }: { readonly cause: string; readonly by?: UserId },
): Decided<'stopped' | 'over'> {
  if (state.status.type !== 'running') return nothing('over');
  const who = given({ by });
  return {
    entries: [
      ...pendingApprovals(state).map(
        ({ id }) => ({ type: 'call-cancelled', approval: id, cause, ...who }) satisfies EntryBody,
      ),
      ...withdrawals(state, () => true),
      { type: 'run-stopped', cause, ...who },
    ],
    result: 'stopped',
  };
}

/** Ends the run if the journal has its last answer: a store that was set back may have lost the one in memory. */
export function decideEnd(state: RunState): Decided<'over' | 'unanswered'> {
  if (state.status.type !== 'running') return nothing('over');
  const newest = state.said.at(-1);
  if (newest?.type !== 'turn' || !newest.last) return nothing('unanswered');
  return { entries: [{ type: 'run-finished' }], result: 'over' };
}
