import type { UserId } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import { readApprovalId, readPress, type SubmittedForm } from '../payloads/index.ts';
import { type Answer, type FormDeps, type FormEnd, onSubmitted, openForm, sentence } from '../responding/index.ts';
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
import { answer, type DecisionDeps, misread } from './decisions.ts';

/** What decides all rows of a list card. */

/** Somebody pressed Approve all. */
export function onApproveAll(deps: DecisionDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press?.place.type !== 'message') return misread(deps, arrival);
    const list = readApprovalId(press.value);
    if (list === undefined) return answer(deps, arrival, press, sentence(ANSWERS.unknown));
    const { by } = press;
    const result = await deps.approvals.decideAll({ list, verdict: 'approve', by, card: press.place.card });
    deps.log.info('A press on all rows was answered', { list, verdict: 'approve', by: by.user, result: result.type });
    await answer(deps, arrival, press, sentence(truthOfAll('approve', result)));
  };
}

/** Somebody pressed Deny all: one reason serves them all. */
export function onDenyAll({ approvals, client, log }: DecisionDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press?.place.type !== 'message') return misread({ log }, arrival);
    const { card, threadTs } = press.place;
    const id = readApprovalId(press.value);
    const says = (words: Mrkdwn) => messageModal(sentence(words), DENY_ALL_TITLE);
    await openForm({ client, log }, { trigger: press.trigger, title: DENY_ALL_TITLE }, async () => {
      const list = id === undefined ? undefined : await approvals.findList(id).catch(() => 'away' as const);
      if (list === 'away') return says(ANSWERS.failed);
      if (list === undefined) return says(ANSWERS.unknown);
      return denyAllModal(list, { approval: list.id, card, threadTs });
    });
  };
}

export function onDeniedAll(deps: FormDeps & { readonly runs: Pick<Runs, 'stop'> }): Answer {
  const decide = async ({ by, memory, values }: SubmittedForm): Promise<FormEnd> => {
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
    return { type: 'done', say: sentence(together(truth, await stopped(list, by.user))) };
  };

  /** The refusals stand whatever becomes of the stop. */
  const stopped = async (id: SubmittedForm['memory']['approval'], by: UserId): Promise<Mrkdwn> => {
    const list = await deps.approvals.findList(id).catch(() => undefined);
    if (list === undefined) return ANSWERS.notStopped;
    const stop = await deps.runs.stop(list.thread, by).catch((error: unknown) => {
      deps.log.warn('A run was to be stopped and could not be', { channel: list.thread.channel, error });
      return 'failed' as const;
    });
    return stop === 'failed' ? ANSWERS.notStopped : ANSWERS.stoppedToo;
  };

  return onSubmitted(deps, { title: DENY_ALL_TITLE, decide });
}
