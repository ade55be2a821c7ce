import type { Asker } from '../../app/who-may-ask.ts';
import type { Answer, Delivery } from '../responding/index.ts';
import { ACTION, type ActionId, VIEW } from '../views/index.ts';
import { onAgain, onUntrust } from './aftermath.ts';
import { onPage, onVerdict, onView } from './decisions.ts';
import { type DoubtDeps, onChoice, onHappened, onHappenedSaid } from './doubts.ts';
import { type FeedbackDeps, onFeedback } from './feedback.ts';
import { onDenied } from './forms/denials.ts';
import { onEdited } from './forms/edits.ts';
import { onReferred } from './forms/referrals.ts';
import { onLine, onTerms } from './forms/terms.ts';
import { onInputFile } from './input-file.ts';
import { type InquiryDeps, onAnswerInquiry, onDeclineInquiry, onInquiryAnswered } from './inquiries.ts';
import { onAnswer, onAnswered, onAnswerListed } from './instead.ts';
import { onMore } from './menu.ts';
import { onDecideOnWeb, type WebPressDeps } from './on-web.ts';
import { onApproveAll, onDeniedAll, onDenyAll } from './together.ts';

/** Every button and form that a view can draw, and what answers it. An id without an answer is an error of types. */

export type PressesDeps = WebPressDeps &
  InquiryDeps &
  DoubtDeps &
  FeedbackDeps & { readonly asker: Asker; readonly now: () => number };

const BUTTONS: Readonly<Record<ActionId, Answer<PressesDeps>>> = {
  [ACTION.approve]: onVerdict('approve'),
  [ACTION.deny]: onVerdict('deny'),
  [ACTION.trust]: onVerdict('trust'),
  [ACTION.approveAll]: onApproveAll,
  [ACTION.denyAll]: onDenyAll,
  [ACTION.view]: onView,
  [ACTION.nextPage]: onPage(1),
  [ACTION.previousPage]: onPage(-1),
  [ACTION.inputFile]: onInputFile,
  [ACTION.more]: onMore,
  [ACTION.onWeb]: onDecideOnWeb,
  [ACTION.answer]: onAnswer,
  [ACTION.answerListed]: onAnswerListed,
  [ACTION.again]: onAgain,
  [ACTION.untrust]: onUntrust('card'),
  [ACTION.untrustLine]: onUntrust('line'),
  [ACTION.untrustListed]: onUntrust('home'),
  [ACTION.answerInquiry]: onAnswerInquiry,
  [ACTION.declineInquiry]: onDeclineInquiry,
  [ACTION.opinion]: onFeedback,
  [ACTION.happened]: onHappened,
  [ACTION.skip]: onChoice('skip'),
  [ACTION.retry]: onChoice('retry'),
};

/** A view that people only read has no answer, and the form of a shortcut is answered in `handlers/speech/`. */
type FormId = Exclude<(typeof VIEW)[keyof typeof VIEW], typeof VIEW.input | typeof VIEW.threadTrust | typeof VIEW.ask>;

const FORMS: Readonly<Record<FormId, Answer<PressesDeps>>> = {
  [VIEW.deny]: onDenied,
  [VIEW.denyAll]: onDeniedAll,
  [VIEW.answer]: onAnswered,
  [VIEW.edit]: onEdited,
  [VIEW.terms]: onTerms,
  [VIEW.line]: onLine,
  [VIEW.refer]: onReferred,
  [VIEW.inquiry]: onInquiryAnswered,
  [VIEW.happened]: onHappenedSaid,
};

export const PRESSES: readonly Delivery<PressesDeps>[] = [
  ...Object.entries(BUTTONS).map(([name, answer]) => ({ kind: 'action' as const, name, answer })),
  ...Object.entries(FORMS).map(([name, answer]) => ({ kind: 'form' as const, name, answer })),
];
