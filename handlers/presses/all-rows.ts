import type { DecideAllResult, DecideResult } from '../../app/approvals/index.ts';
import type { SubmittedForm } from '../payloads/index.ts';
import { answerPress, counts, endOf, type FormEnd, openForm, type Press, sentence } from '../responding/index.ts';
import { ANSWERS, denyAllModal, FIELD, FORMS, type Mrkdwn, messageModal, NEXT, truthOfAll } from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';
import { type DenialDeps, reasonIn, stoppedToo, stopToo } from './forms/denials.ts';

/** The buttons that decide all rows of a list card. */

/** Approves all rows: *Approve all*. */
export async function onApproveAll(deps: DecisionDeps, press: Press<'list_approve_all'>): Promise<void> {
  const { approvals, log } = deps;
  const { about: list, run, by, place } = press;
  const result = await approvals.decideAll({ list, run, verdict: 'approve', by, card: place.card });
  log.info('A press on all rows was answered', { list, verdict: 'approve', by: by.user, result: result.type });
  const again = result.type === 'decided' && result.results.every((row) => 'repeats' in row);
  await answerPress(deps, press, {
    words: truthOfAll('approve', result, by.user),
    counted: countsForAll(result),
    again,
  });
}

/** Does the press count for a row, and does the card show what became of all others? It does not show a refusal. */
function countsForAll(result: DecideAllResult): boolean {
  if (result.type !== 'decided') return false;
  return result.results.some(counts) && result.results.every(({ type }) => SHOWN_BY_CARD.includes(type));
}

const SHOWN_BY_CARD: readonly DecideResult['type'][] = ['decided', 'counted', 'already-decided', 'over'];

/** Denies all rows: *Deny all*. One reason holds for all of them. */
export async function onDenyAll(
  { approvals, client, log }: DecisionDeps,
  { about, place, trigger }: Press<'list_deny_all'>,
): Promise<void> {
  const { card, threadTs } = place;
  const says = (words: Mrkdwn) => messageModal(sentence(words), FORMS.list_deny_reason.title);
  await openForm({ client, log }, { trigger, title: FORMS.list_deny_reason.title }, async () => {
    // The store may be out of reach. The form says so.
    const list = await approvals.findList(about).catch(() => 'away' as const);
    if (list === 'away') return says(ANSWERS.failed);
    if (list === undefined) return says(ANSWERS.unknown);
    return denyAllModal(list, { approval: list.id, run: list.run, card, threadTs });
  });
}

export async function onDeniedAll(deps: DenialDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { by, memory, values } = submitted;
  const { approval: list, run, card } = memory;
  const result = await deps.approvals.decideAll({ list, run, verdict: 'deny', by, card, ...reasonIn(submitted) });
  deps.log.info('A press on all rows was answered', { list, verdict: 'deny', by: by.user, result: result.type });
  const truth = truthOfAll('deny', result, by.user);
  const results = result.type === 'decided' ? result.results : [];
  const [row] = results.flatMap((one) => (counts(one) && 'approval' in one ? one.approval : []));
  if (row === undefined) return endOf(result, truth);
  const end =
    values.get(FIELD.next) === NEXT.stop
      ? stoppedToo(truth, await stopToo(deps, row, by.user))
      : ({ type: 'done', say: sentence(truth) } as const);
  const decides = results.some(({ type }) => type === 'decided');
  return decides && countsForAll(result) ? end : { type: 'say', say: end.say };
}
