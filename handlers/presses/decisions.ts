import type { ModalView } from '@slack/types';
import type { Approvals } from '../../app/approvals/index.ts';
import type { Trust } from '../../app/authority/index.ts';
import { given } from '../../app/given.ts';
import type { ApprovalId, KnownTool, Verdict } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import { inTurns } from '../../app/time/index.ts';
import {
  answerPress,
  counts,
  openView,
  type Press,
  type PressDeps,
  sentence,
  showIn,
  truthOf,
} from '../responding/index.ts';
import { ANSWERS, inputModalInSteps, loadingModal, messageModal } from '../views/index.ts';
import { askToConfirm } from './forms/confirmations.ts';

export interface DecisionDeps extends PressDeps {
  readonly approvals: Approvals;
  readonly runs: Runs;
  readonly trust: Trust;
  readonly tools: () => readonly KnownTool[];
}

/** Decides by *Approve*, *Deny* or *Trust*. A guarded call is approved by the form that *Approve* opens. */
export function onVerdict(verdict: Exclude<Verdict, 'answer'>) {
  return async (
    deps: DecisionDeps,
    press: Press<'approval_approve' | 'approval_deny' | 'approval_trust'>,
  ): Promise<void> => {
    const { about: approval, run, shows, place, by } = press;
    const from =
      place.type === 'message'
        ? ({ type: 'card', card: place.card, ...given({ shows }) } as const)
        : ({ type: 'full-view' } as const);
    const result = await deps.approvals.decide({ approval, run, verdict, by, from });
    deps.log.info('A press was answered', { approval, verdict, by: by.user, result: result.type });
    if (result.type === 'unconfirmed') return askToConfirm(deps, press, result.approval);
    await answerPress(deps, press, {
      words: truthOf(result, by.user),
      counted: counts(result),
      again: 'repeats' in result,
    });
  };
}

/** Opens the full view, with all of the input. */
export function onView(deps: DecisionDeps, { trigger, about }: Press<'approval_view'>): Promise<void> {
  return openView(deps, { trigger, loading: loadingModal() }, () => pageOf(deps, about, 0));
}

export function onPage(step: 1 | -1) {
  return async (
    deps: DecisionDeps,
    { place, about }: Press<'approval_page_next' | 'approval_page_previous'>,
  ): Promise<void> => {
    const { id, hash, page } = place;
    // The hash lets only one of two quick presses turn the page.
    await showIn(deps, { id, hash }, await pageOf(deps, about, page + step));
  };
}

async function pageOf({ approvals, log }: DecisionDeps, id: ApprovalId, page: number): Promise<ModalView> {
  try {
    const approval = await approvals.find(id);
    if (approval === undefined) return messageModal(sentence(ANSWERS.inputGone));
    return await inTurns(inputModalInSteps(approval, page));
    // The store may be out of reach. The view is open already, so it says so.
  } catch (error) {
    log.error('An input could not be read', { approval: id, error });
    return messageModal(sentence(ANSWERS.inputFailed));
  }
}
