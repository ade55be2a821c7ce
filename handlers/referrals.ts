import { UserId } from '../app/records.ts';
import type { Answer } from './arrival.ts';
import { type FormDeps, type FormEnd, onSubmitted } from './forms.ts';
import type { SubmittedForm } from './parse-press.ts';
import { sentence } from './trusting.ts';
import { truthOf } from './truths.ts';
import { FIELD } from './views/action-ids.ts';
import { ANSWERS } from './views/answers.ts';
import { REFER_TITLE, referredNote } from './views/refer-modal.ts';

/** Somebody asks somebody else to decide. That they are asked is recorded; that they are called is a courtesy. */
export function onReferred(deps: FormDeps): Answer {
  const decide = async ({ by, memory, values }: SubmittedForm): Promise<FormEnd> => {
    const to = UserId.parse(values.get(FIELD.person));
    const result = await deps.approvals.refer(memory.approval, by, to);
    deps.log.info('A form was answered', { approval: memory.approval, by: by.user, to, result: result.type });
    switch (result.type) {
      case 'unfit':
        return { type: 'errors', errors: { [FIELD.person]: result.problem } };
      case 'referred': {
        const { channel, ts } = result.approval.thread;
        const note = referredNote(result.approval, by.user, to);
        await deps.client.chat
          .postMessage({ channel, thread_ts: ts, ...note, unfurl_links: false, unfurl_media: false })
          .catch((error: unknown) => deps.log.warn('Somebody was asked and not called', { to, error }));
        return { type: 'done', say: sentence(ANSWERS.referred) };
      }
      default:
        return { type: 'say', say: sentence(truthOf(result)) };
    }
  };
  return onSubmitted(deps, { title: REFER_TITLE, decide });
}
