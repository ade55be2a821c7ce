import type { Approval } from '../../app/records/index.ts';
import { canonical } from '../../interventions/index.ts';
import { filledIn, type SubmittedForm } from '../payloads/index.ts';
import {
  endOf,
  type FormDeps,
  type FormEnd,
  longestOf,
  openCardForm,
  type Press,
  sentence,
  truthOf,
} from '../responding/index.ts';
import { answerModal, FIELD, OTHERWISE, readAnswer } from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';
import { decideByForm } from './forms/decide-by-form.ts';

/** Opens the form to answer a question, from the card of the question. */
export function onAnswer(deps: DecisionDeps, press: Press<'approval_answer'>): Promise<void> {
  return openCardForm(deps, { press, approval: press.about, form: 'approval_answer_form' }, answerModal);
}

/** The same, from a list of waiting questions. */
export function onAnswerListed(deps: DecisionDeps, press: Press<'approval_answer_listed'>): Promise<void> {
  return openCardForm(deps, { press, approval: press.about, form: 'approval_answer_form', listed: true }, answerModal);
}

/** Takes the answer of a person in place of what the tool would have said. */
export async function onAnswered(deps: FormDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { approval, listed } = submitted.memory;
  const read = answerOf(submitted, await deps.approvals.find(approval));
  if (read.type === 'errors') return read;
  const result = await decideByForm(deps, submitted, { verdict: 'answer', answer: read.answer });
  // The form stays open, because all that was typed would be lost with it.
  if (result.type === 'unfit')
    return { type: 'errors', errors: { [longestOf(submitted) ?? FIELD.answer]: result.problem } };
  // A person who answered in a list does not look at the thread.
  const inThread = result.type === 'decided' && listed === undefined;
  const truth = truthOf(result, submitted.by.user);
  return inThread ? { type: 'done', say: sentence(truth) } : endOf(result, truth);
}

type Read = { readonly type: 'answer'; readonly answer: string } | Extract<FormEnd, { readonly type: 'errors' }>;

/** Reads the answer to a form by the schema of the form. Any other answer is words. */
function answerOf(submitted: SubmittedForm, approval: Approval | undefined): Read {
  const schema = approval?.wants?.form;
  const read = schema === undefined ? ({ type: 'no-form' } as const) : readAnswer(schema, filledIn(submitted));
  if (read.type === 'errors') return read;
  const answer = read.type === 'content' ? canonical(read.content) : wordsOf(submitted.values, approval);
  if (answer === '') return { type: 'errors', errors: { [FIELD.answer]: 'Write an answer, or choose one.' } };
  return { type: 'answer', answer };
}

/** A choice travels as its number, and its text comes from the record. Words beside a choice are kept with it. */
function wordsOf(values: SubmittedForm['values'], approval: Approval | undefined): string {
  const typed = values.get(FIELD.answer)?.trim() ?? '';
  const chosen = values.get(FIELD.choice) ?? OTHERWISE;
  const choice = chosen === OTHERWISE ? '' : (approval?.wants?.choices[Number(chosen)] ?? '');
  return [choice, typed].filter((part) => part !== '').join('\n');
}
