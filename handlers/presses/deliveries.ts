import type { Asker } from '../../app/who-may-ask.ts';
import type { SubmittedForm } from '../payloads/index.ts';
import { QUESTION_PRESSES, type QuestionDeps } from '../questions/index.ts';
import { type Delivery, type FormEnd, onPress, onSubmitted, type Press } from '../responding/index.ts';
import { BUTTONS, type ButtonId, FORMS, type FormId } from '../views/index.ts';
import { onAgain, onUntrust } from './aftermath.ts';
import { onApproveAll, onDeniedAll, onDenyAll } from './all-rows.ts';
import { onAnswer, onAnswered, onAnswerListed } from './answer-form.ts';
import { onPage, onVerdict, onView } from './decisions.ts';
import { type FeedbackDeps, onFeedback } from './feedback.ts';
import { onConfirmed } from './forms/confirmations.ts';
import { onDenied } from './forms/denials.ts';
import { onEdited } from './forms/edits.ts';
import { onReferred } from './forms/referrals.ts';
import { onLine, onTerms } from './forms/terms.ts';
import { onInputFile } from './input-file.ts';
import { onMore } from './menu.ts';
import { onDecideOnWeb, type WebPressDeps } from './on-web.ts';

/** What answers each button and each form that a view can draw. A missing answer is an error of types. */

export type PressesDeps = WebPressDeps & QuestionDeps & FeedbackDeps & { readonly asker: Asker };

const PRESSED: { readonly [Id in ButtonId]: (deps: PressesDeps, press: Press<Id>) => Promise<void> } = {
  approval_approve: onVerdict('approve'),
  approval_deny: onVerdict('deny'),
  approval_trust: onVerdict('trust'),
  approval_answer: onAnswer,
  approval_answer_listed: onAnswerListed,
  approval_on_web: onDecideOnWeb,
  approval_again: onAgain,
  approval_more: onMore,
  approval_view: onView,
  approval_page_next: onPage(1),
  approval_page_previous: onPage(-1),
  approval_input_file: onInputFile,
  list_approve_all: onApproveAll,
  list_deny_all: onDenyAll,
  trust_end: onUntrust,
  trust_end_line: onUntrust,
  trust_end_listed: onUntrust,
  reply_opinion: onFeedback,
};

/** `handlers/speech/` answers the form of a shortcut. */
type CardForm = Exclude<FormId, 'ask_about_message'>;

const SUBMITTED: Readonly<Record<CardForm, (deps: PressesDeps, form: SubmittedForm) => Promise<FormEnd>>> = {
  approval_deny_reason: onDenied,
  list_deny_reason: onDeniedAll,
  approval_answer_form: onAnswered,
  approval_confirm: onConfirmed,
  approval_edit: onEdited,
  trust_terms: onTerms,
  trust_line: onLine,
  approval_refer: onReferred,
};

export const PRESSES: readonly Delivery<PressesDeps>[] = [
  ...idsOf(PRESSED).map(pressed),
  ...idsOf(SUBMITTED).map((name) => ({
    kind: 'form' as const,
    name,
    answer: onSubmitted(FORMS[name].title, SUBMITTED[name]),
  })),
  ...QUESTION_PRESSES,
];

function pressed<Id extends ButtonId>(name: Id): Delivery<PressesDeps> {
  return { kind: 'action', name, answer: onPress(BUTTONS[name], PRESSED[name]) };
}

function idsOf<Id extends string>(answers: Readonly<Record<Id, unknown>>): readonly Id[] {
  return Object.keys(answers).filter((id): id is Id => id in answers);
}
