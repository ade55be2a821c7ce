import type { Inquiry } from '../../../app/records/index.ts';
import { filledIn, type SubmittedForm } from '../../payloads/index.ts';
import { endOf, type FormEnd, sentence } from '../../responding/index.ts';
import { messageModal, problemAt, readAnswer, truthOfQuestion } from '../../views/index.ts';
import { buttonsOf, type QuestionDeps, type QuestionInSlack } from '../kind.ts';
import { type InquiryButton, inquiryCard } from './card.ts';
import { ANSWER, inquiryForm } from './form.ts';
import { INQUIRY_ANSWERS, NO_FORM } from './words.ts';

const { answers, opens } = buttonsOf('inquiry', INQUIRY_ANSWERS);

/** A person answers or declines what a tool server asks. */
export const INQUIRY = {
  card: inquiryCard,
  buttons: {
    inquiry_answer: opens(
      ANSWER,
      (inquiry, memory) => inquiryForm(inquiry, memory) ?? messageModal(sentence(NO_FORM), ANSWER.title),
    ),
    inquiry_decline: answers({ how: 'declined' }),
  },
  forms: [{ ...ANSWER, answer: onAnswered }],
} as const satisfies QuestionInSlack<Inquiry, InquiryButton>;

/** A field whose value does not fit says so, and nothing is sent. */
async function onAnswered({ questions, log }: QuestionDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { by, memory } = submitted;
  const { approval: inquiry, card } = memory;
  const considered = await questions.inquiry.consider(inquiry, by);
  if (considered.type !== 'open') return endOf(considered, truthOfQuestion(considered, INQUIRY_ANSWERS, by.user));
  const { schema } = considered.asks;
  const read = readAnswer(schema, filledIn(submitted));
  if (read.type === 'no-form') return endOf(read, NO_FORM);
  if (read.type === 'errors') return read;

  const result = await questions.inquiry.answer(inquiry, { how: 'answered', content: read.content }, { by, card });
  log.info('A tool server was answered', { inquiry, by: by.user, result: result.type });
  if (result.type === 'answered')
    return { type: 'done', say: sentence(truthOfQuestion(result, INQUIRY_ANSWERS, by.user)) };
  const errors = result.type === 'unfit' ? problemAt(schema, result.problem) : undefined;
  return errors === undefined
    ? endOf(result, truthOfQuestion(result, INQUIRY_ANSWERS, by.user))
    : { type: 'errors', errors };
}
