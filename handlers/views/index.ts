export { approvalCard } from './card/approval-card.ts';
export {
  approvedCall,
  digestLine,
  hidesNote,
  revisionOf,
  showsWholeInput,
  toolName,
  undeclaredNote,
} from './card/call.ts';
export { directCopy } from './card/direct-copy.ts';
export { doubtCard } from './card/doubt-card.ts';
export { inquiryCard } from './card/inquiry-card.ts';
export { listCard, mayApproveTogether } from './card/list/list-card.ts';
export { showsWholeInRow } from './card/list/list-row.ts';
export { lostCard } from './card/lost-card.ts';
export { directReminder, remindedPeople, reminder } from './card/reminder.ts';
export { trustEndedNote } from './card/trust-buttons.ts';
export { answerModal, OTHERWISE } from './forms/answer-modal.ts';
export { askedNote, askModal } from './forms/ask-modal.ts';
export { denyAllModal } from './forms/deny-all-modal.ts';
export { denyModal } from './forms/deny-modal.ts';
export { happenedForm } from './forms/doubt-form.ts';
export { type EditedFields, editProblemAt, readEdit } from './forms/edit-fields.ts';
export { editModal, isEditable } from './forms/edit-modal.ts';
export type { AskMemory, FormMemory } from './forms/form.ts';
export { inputFile, inputModal, loadingModal, messageModal } from './forms/input-modal.ts';
export { inquiryForm } from './forms/inquiry/inquiry-form.ts';
export { problemAt, readAnswer } from './forms/inquiry/inquiry-values.ts';
export { referModal, referredNote } from './forms/refer-modal.ts';
export { lineModal, NARROWEST, termsModal } from './forms/terms-modal.ts';
export { fallback, type MessageView, type Mrkdwn, section } from './kit/blocks.ts';
export { BUTTONS, type ButtonId, type MenuVerb } from './kit/buttons.ts';
export { FIELD, FORMS, type FormId, NEXT, SHORTCUT } from './kit/forms.ts';
export { shownText } from './kit/input-text.ts';
export { SHOWN } from './kit/limits.ts';
export { visible, visibleProse } from './kit/text.ts';
export { homeView, settledView, unreadableHome } from './pages/home-view.ts';
export { TRUSTED_TITLE, trustedModal, trustedView } from './pages/trusted-view.ts';
export { usageView } from './pages/usage-view.ts';
export { waitingView } from './pages/waiting-view.ts';
export { growingReply, growingTasks, PLACEHOLDER } from './reply/growing.ts';
export { replyMessages } from './reply/reply.ts';
export { truthOfAll } from './words/all-answers.ts';
export * from './words/answers.ts';
export { DOUBT_ANSWERS } from './words/doubt-answers.ts';
export { INQUIRY_ANSWERS, NO_FORM } from './words/inquiry-answers.ts';
export { truthOfQuestion, UNKNOWN_QUESTION } from './words/question-answers.ts';
