import type { ApprovalId, UserId } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import { readApprovalId } from '../payloads/index.ts';
import {
  type FormDeps,
  type FormEnd,
  onPress,
  onPressOf,
  onSubmitted,
  openForm,
  sentence,
} from '../responding/index.ts';
import {
  ANSWERS,
  DENY_ALL_TITLE,
  denyAllModal,
  FIELD,
  type Mrkdwn,
  messageModal,
  NEXT,
  together,
  truthOfAll,
} from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';

/** What decides all rows of a list card. */

/** Somebody pressed Approve all. */
export const onApproveAll = onPressOf(
  { places: ['message'], unknown: ANSWERS.unknown },
  async ({ approvals, log }: DecisionDeps, { approval: list, by, place, say }) => {
    const result = await approvals.decideAll({ list, verdict: 'approve', by, card: place.card });
    log.info('A press on all rows was answered', { list, verdict: 'approve', by: by.user, result: result.type });
    await say(sentence(truthOfAll('approve', result)));
  },
);

/** Somebody pressed Deny all: one reason serves them all. */
export const onDenyAll = onPress(
  ['message'],
  async ({ approvals, client, log }: DecisionDeps, { place, trigger, value }) => {
    const { card, threadTs } = place;
    const id = readApprovalId(value);
    const says = (words: Mrkdwn) => messageModal(sentence(words), DENY_ALL_TITLE);
    await openForm({ client, log }, { trigger, title: DENY_ALL_TITLE }, async () => {
      const list = id === undefined ? undefined : await approvals.findList(id).catch(() => 'away' as const);
      if (list === 'away') return says(ANSWERS.failed);
      if (list === undefined) return says(ANSWERS.unknown);
      return denyAllModal(list, { approval: list.id, card, threadTs });
    });
  },
);

type DenialDeps = FormDeps & { readonly runs: Pick<Runs, 'stop'> };

export const onDeniedAll = onSubmitted(
  DENY_ALL_TITLE,
  async (deps: DenialDeps, { by, memory, values }): Promise<FormEnd> => {
    const { approval: list, card } = memory;
    const reason = values.get(FIELD.reason)?.trim() ?? '';
    const result = await deps.approvals.decideAll({
      list,
      verdict: 'deny',
      by,
      card,
      ...(reason === '' ? {} : { reason }),
    });
    deps.log.info('A press on all rows was answered', { list, verdict: 'deny', by: by.user, result: result.type });
    const truth = truthOfAll('deny', result);
    const done = result.type === 'decided' && result.results.some(({ type }) => type === 'decided');
    if (!done) return { type: 'say', say: sentence(truth) };
    if (values.get(FIELD.next) !== NEXT.stop) return { type: 'done', say: sentence(truth) };
    return { type: 'done', say: sentence(together(truth, await stopped(deps, list, by.user))) };
  },
);

/** The refusals stand whatever becomes of the stop. */
async function stopped({ approvals, runs, log }: DenialDeps, id: ApprovalId, by: UserId): Promise<Mrkdwn> {
  const list = await approvals.findList(id).catch(() => undefined);
  if (list === undefined) return ANSWERS.notStopped;
  const stop = await runs.stop(list.thread, by).catch((error: unknown) => {
    log.warn('A run was to be stopped and could not be', { channel: list.thread.channel, error });
    return 'failed' as const;
  });
  return stop === 'failed' ? ANSWERS.notStopped : ANSWERS.stoppedToo;
}
