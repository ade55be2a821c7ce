import type { AnswerResult, Inquiries, InquiryConsidered } from '../../app/questions/index.ts';
import { unreachable } from '../../interventions/index.ts';
import { filledIn, type SubmittedForm } from '../payloads/index.ts';
import { type FormEnd, openForm, type Press, type PressDeps, sentence } from '../responding/index.ts';
import {
  FORMS,
  INQUIRY_ANSWERS,
  inquiryForm,
  inquiryOver,
  type Mrkdwn,
  messageModal,
  misfitting,
  notRecorded,
  notYourInquiry,
  problemAt,
  readAnswer,
  settledBefore,
  settledByYou,
} from '../views/index.ts';

/** Somebody answers what a tool server asks. */

export interface InquiryDeps extends PressDeps {
  readonly inquiries: Inquiries;
}

/** A trigger lives three seconds, so the form is opened before anybody looks whether there is something to answer. */
export async function onAnswerInquiry(
  deps: InquiryDeps,
  { about: inquiry, by, place, trigger }: Press<'inquiry_answer'>,
): Promise<void> {
  const { card, threadTs } = place;
  await openForm(deps, { trigger, title: FORMS.inquiry_form.title }, async () => {
    const considered = await deps.inquiries.consider(inquiry, by);
    deps.log.debug('The form of a tool server was opened', { inquiry, by: by.user, result: considered.type });
    const form =
      considered.type === 'open'
        ? inquiryForm(considered.inquiry, { approval: inquiry, card, threadTs })
        : message(truthOf(considered));
    return form ?? message(INQUIRY_ANSWERS.noForm);
  });
}

export async function onDeclineInquiry(
  { inquiries, log }: InquiryDeps,
  { about: inquiry, by, say }: Press<'inquiry_decline'>,
): Promise<void> {
  const result = await inquiries.answer({ inquiry, by, answer: { how: 'declined' } });
  log.info('A tool server was declined', { inquiry, by: by.user, result: result.type });
  await say(sentence(truthOf(result)));
}

/** What does not fit is said at its field, and nothing is sent. */
export async function onInquiryAnswered({ inquiries, log }: InquiryDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { by, memory } = submitted;
  const inquiry = memory.approval;
  const considered = await inquiries.consider(inquiry, by);
  if (considered.type !== 'open') return end(truthOf(considered));
  const { schema } = considered.inquiry;
  const read = readAnswer(schema, filledIn(submitted));
  if (read.type === 'no-form') return end(INQUIRY_ANSWERS.noForm);
  if (read.type === 'errors') return read;

  const result = await inquiries.answer({ inquiry, by, answer: { how: 'answered', content: read.content } });
  log.info('A tool server was answered', { inquiry, by: by.user, result: result.type });
  if (result.type === 'answered') return { type: 'done', say: sentence(truthOf(result)) };
  const errors = result.type === 'does-not-fit' ? problemAt(schema, result.problem) : undefined;
  return errors === undefined ? end(truthOf(result)) : { type: 'errors', errors };
}

const message = (truth: Mrkdwn) => messageModal(sentence(truth), FORMS.inquiry_form.title);
const end = (truth: Mrkdwn): FormEnd => ({ type: 'say', say: sentence(truth) });

/** Every press hears exactly one of these. The card is painted from the record, by whoever changed it. */
function truthOf(result: AnswerResult | Exclude<InquiryConsidered, { readonly type: 'open' }>): Mrkdwn {
  switch (result.type) {
    case 'answered':
      return settledByYou(result.inquiry);
    case 'already-settled':
      return settledBefore(result.inquiry);
    case 'over':
      return inquiryOver(result.inquiry);
    case 'not-yours':
      return notYourInquiry(result.inquiry);
    case 'does-not-fit':
      return misfitting(result.problem);
    case 'unknown':
      return INQUIRY_ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
    default:
      return unreachable(result);
  }
}
