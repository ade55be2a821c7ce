import type { Approvals } from '../../app/approvals/index.ts';
import type { Trust } from '../../app/authority/index.ts';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import type { KnownTool, Verdict } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import { type Bot, readApprovalId } from '../payloads/index.ts';
import {
  ANYWHERE,
  type Answer,
  onPress,
  onPressOf,
  openView,
  type PressDeps,
  sentence,
  showIn,
  truthOf,
} from '../responding/index.ts';
import { takeBackLost } from '../thread/index.ts';
import { ANSWERS, inputModal, loadingModal, messageModal, revisionOf } from '../views/index.ts';

export interface DecisionDeps extends PressDeps {
  readonly approvals: Approvals;
  readonly runs: Runs;
  readonly trust: Trust;
  readonly tools: () => readonly KnownTool[];
  readonly bot: () => Bot;
}

/** Somebody pressed Approve, Deny or Trust, on a card or at the end of a full view: nothing decides on the Home page. */
export function onVerdict(verdict: Verdict): Answer<DecisionDeps> {
  return onPressOf({ places: ['message', 'view'], unknown: ANSWERS.unknown }, async (deps, press) => {
    const { approval, place, by } = press;
    const shows = revisionOf(press.block);
    const from =
      place.type === 'message'
        ? ({ type: 'card', card: place.card, ...given({ shows }) } as const)
        : ({ type: 'full-view' } as const);
    const result = await deps.approvals.decide({ approval, verdict, by, from });
    deps.log.info('A press was answered', { approval, verdict, by: by.user, result: result.type });
    await press.say(sentence(truthOf(result)));
    if (result.type === 'unknown' && place.type === 'message') await takeBackLost(deps, approval, place);
  });
}

/** Somebody wants to read all of the input. */
export const onView = onPress(ANYWHERE, async ({ approvals, client, log }: DecisionDeps, { trigger, value }) =>
  openView({ client, log }, { trigger, loading: loadingModal() }, () => pageOf(approvals, log, value, 0)),
);

export function onPage(step: 1 | -1): Answer<DecisionDeps> {
  return onPress(['view'], async ({ approvals, client, log }, { place, value }) => {
    const { id, hash, page } = place;
    const view = await pageOf(approvals, log, value, page + step);
    // With the hash, of two quick presses only one turns the page.
    await showIn({ client, log }, { id, hash }, view);
  });
}

async function pageOf(
  approvals: Approvals,
  log: Log,
  value: string,
  page: number,
): Promise<ReturnType<typeof inputModal>> {
  const id = readApprovalId(value);
  if (id === undefined) return messageModal(sentence(ANSWERS.inputGone));
  try {
    const approval = await approvals.find(id);
    return approval === undefined ? messageModal(sentence(ANSWERS.inputGone)) : inputModal(approval, page);
  } catch (error) {
    // The view is open already; an empty one would tell its reader nothing.
    log.error('An input could not be read', { approval: id, error });
    return messageModal(sentence(ANSWERS.inputFailed));
  }
}
