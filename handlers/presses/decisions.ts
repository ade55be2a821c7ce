import type { WebClient } from '@slack/web-api';
import type { Approvals } from '../../app/approvals/index.ts';
import type { Trust } from '../../app/authority/index.ts';
import type { Log } from '../../app/log.ts';
import type { KnownTool, Verdict } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import type { Homes } from '../home/index.ts';
import { type Bot, type PressedButton, readApprovalId, readPress } from '../payloads/index.ts';
import {
  type Answer,
  type Arrival,
  answerPrivately,
  openView,
  privately,
  sentence,
  showIn,
  truthOf,
} from '../responding/index.ts';
import { takeBackLost } from '../thread/index.ts';
import { ANSWERS, inputModal, loadingModal, type MessageView, messageModal, revisionOf } from '../views/index.ts';

export interface DecisionDeps {
  readonly approvals: Approvals;
  readonly runs: Runs;
  readonly trust: Trust;
  readonly homes: Pick<Homes, 'say'>;
  readonly tools: () => readonly KnownTool[];
  readonly client: WebClient;
  readonly log: Log;
  readonly bot: () => Bot;
}

/** Somebody pressed Approve, Deny or Trust, on a card or at the end of a full view. */
export function onVerdict(verdict: Verdict, deps: DecisionDeps): Answer {
  return async (arrival) => {
    // Slack waits three seconds for this, and does not repeat a press; whatever follows may take longer.
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press === undefined) return misread(deps, arrival);
    const approval = readApprovalId(press.value);
    if (approval === undefined) return answer(deps, arrival, press, sentence(ANSWERS.unknown));

    const { place, by } = press;
    // Nothing decides there: what waits is listed, and read before it is answered.
    if (place.type === 'home') return misread(deps, arrival);
    const shows = revisionOf(press.block);
    const from =
      place.type === 'message'
        ? ({ type: 'card', card: place.card, ...(shows === undefined ? {} : { shows }) } as const)
        : ({ type: 'full-view' } as const);
    const result = await deps.approvals.decide({ approval, verdict, by, from });
    deps.log.info('A press was answered', { approval, verdict, by: by.user, result: result.type });
    await answer(deps, arrival, press, sentence(truthOf(result)));
    if (result.type === 'unknown' && place.type === 'message') await takeBackLost(deps, approval, place);
  };
}

/** Somebody wants to read all of the input. */
export function onView({ approvals, client, log }: DecisionDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press === undefined) return misread({ log }, arrival);
    await openView({ client, log }, { trigger: press.trigger, loading: loadingModal() }, () =>
      pageOf(approvals, log, press.value, 0),
    );
  };
}

export function onPage(step: 1 | -1, { approvals, client, log }: DecisionDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press?.place.type !== 'view') return misread({ log }, arrival);
    const { id, hash, page } = press.place;
    const view = await pageOf(approvals, log, press.value, page + step);
    // With the hash, of two quick presses only one turns the page.
    await showIn({ client, log }, { id, hash }, view);
  };
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

/** Where it was pressed: below the card for that person alone, or in the view they look at. */
export async function answer(
  deps: Pick<DecisionDeps, 'client' | 'log'> & Partial<Pick<DecisionDeps, 'homes'>>,
  { respond }: Arrival,
  { place, by }: PressedButton,
  view: MessageView,
): Promise<void> {
  if (place.type === 'message') {
    const { channel } = place.card;
    return answerPrivately(deps, respond, { user: by.user, channel, threadTs: place.threadTs }, view);
  }
  if (place.type === 'home') return deps.homes?.say(by, view);
  await showIn(deps, place, messageModal(view));
}

export async function misread({ log }: { readonly log: Log }, { respond }: Arrival): Promise<void> {
  log.warn('A press was not acted on', { why: 'none of our buttons sends this' });
  await respond?.(privately(sentence(ANSWERS.notUnderstood)));
}
