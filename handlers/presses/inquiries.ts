import type { Inquiries } from '../../app/questions/index.ts';
import { filledIn, type SubmittedForm } from '../payloads/index.ts';
import { type FormEnd, openForm, type Press, type PressDeps, sentence } from '../responding/index.ts';
import {
  FORMS,
  INQUIRY_ANSWERS,
  inquiryForm,
  type Mrkdwn,
  messageModal,
  NO_FORM,
  problemAt,
  readAnswer,
  truthOfQuestion,
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
        ? inquiryForm(considered.asks, { approval: inquiry, card, threadTs })
        : message(truthOfQuestion(considered, INQUIRY_ANSWERS));
    return form ?? message(NO_FORM);
  });
}

export async function onDeclineInquiry(
  { inquiries, log }: InquiryDeps,
  { about: inquiry, by, say }: Press<'inquiry_decline'>,
): Promise<void> {
  const result = await inquiries.answer({ inquiry, by, answer: { how: 'declined' } });
  log.info('A tool server was declined', { inquiry, by: by.user, result: result.type });
  await say(sentence(truthOfQuestion(result, INQUIRY_ANSWERS)));
}

/** What does not fit is said at its field, and nothing is sent. */
export async function onInquiryAnswered({ inquiries, log }: InquiryDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { by, memory } = submitted;
  const inquiry = memory.approval;
  const considered = await inquiries.consider(inquiry, by);
  if (considered.type !== 'open') return end(truthOfQuestion(considered, INQUIRY_ANSWERS));
  const { schema } = considered.asks;
  const read = readAnswer(schema, filledIn(submitted));
  if (read.type === 'no-form') return end(NO_FORM);
  if (read.type === 'errors') return read;

  const result = await inquiries.answer({ inquiry, by, answer: { how: 'answered', content: read.content } });
  log.info('A tool server was answered', { inquiry, by: by.user, result: result.type });
  if (result.type === 'answered') return { type: 'done', say: sentence(truthOfQuestion(result, INQUIRY_ANSWERS)) };
  const errors = result.type === 'unfit' ? problemAt(schema, result.problem) : undefined;
  return errors === undefined ? end(truthOfQuestion(result, INQUIRY_ANSWERS)) : { type: 'errors', errors };
}

const message = (truth: Mrkdwn) => messageModal(sentence(truth), FORMS.inquiry_form.title);
const end = (truth: Mrkdwn): FormEnd => ({ type: 'say', say: sentence(truth) });
