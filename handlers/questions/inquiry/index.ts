import type { Inquiry } from '../../../app/records/index.ts';
import { filledIn, type SubmittedForm } from '../../payloads/index.ts';
import { type FormEnd, sentence } from '../../responding/index.ts';
import { type Mrkdwn, messageModal, problemAt, readAnswer, truthOfQuestion } from '../../views/index.ts';
import { openQuestionForm, type QuestionDeps, type QuestionInSlack, type QuestionPress } from '../kind.ts';
import { type InquiryButton, inquiryCard } from './card.ts';
import { ANSWER, inquiryForm } from './form.ts';
import { INQUIRY_ANSWERS, NO_FORM } from './words.ts';

/** Somebody answers what a tool server asks. */
export const INQUIRY = {
  card: inquiryCard,
  buttons: { inquiry_answer: onAnswer, inquiry_decline: onDecline },
  forms: [{ ...ANSWER, answer: onAnswered }],
} as const satisfies QuestionInSlack<Inquiry, InquiryButton>;

function onAnswer(deps: QuestionDeps, press: QuestionPress): Promise<void> {
  const { title } = ANSWER;
  return openQuestionForm(deps, press, {
    title,
    words: INQUIRY_ANSWERS,
    consider: deps.questions.inquiry.consider,
    draw: (inquiry, memory) => inquiryForm(inquiry, memory) ?? messageModal(sentence(NO_FORM), title),
  });
}

async function onDecline(
  { questions, log }: QuestionDeps,
  { about: inquiry, by, place, say }: QuestionPress,
): Promise<void> {
  const result = await questions.inquiry.answer(inquiry, { how: 'declined' }, { by, card: place.card });
  log.info('A tool server was declined', { inquiry, by: by.user, result: result.type });
  await say(sentence(truthOfQuestion(result, INQUIRY_ANSWERS)));
}

/** What does not fit is said at its field, and nothing is sent. */
async function onAnswered({ questions, log }: QuestionDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { by, memory } = submitted;
  const { approval: inquiry, card } = memory;
  const considered = await questions.inquiry.consider(inquiry, by);
  if (considered.type !== 'open') return end(truthOfQuestion(considered, INQUIRY_ANSWERS));
  const { schema } = considered.asks;
  const read = readAnswer(schema, filledIn(submitted));
  if (read.type === 'no-form') return end(NO_FORM);
  if (read.type === 'errors') return read;

  const result = await questions.inquiry.answer(inquiry, { how: 'answered', content: read.content }, { by, card });
  log.info('A tool server was answered', { inquiry, by: by.user, result: result.type });
  if (result.type === 'answered') return { type: 'done', say: sentence(truthOfQuestion(result, INQUIRY_ANSWERS)) };
  const errors = result.type === 'unfit' ? problemAt(schema, result.problem) : undefined;
  return errors === undefined ? end(truthOfQuestion(result, INQUIRY_ANSWERS)) : { type: 'errors', errors };
}

const end = (truth: Mrkdwn): FormEnd => ({ type: 'say', say: sentence(truth) });
