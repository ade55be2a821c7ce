export { approvalCard } from './card/approval-card.ts';
export {
  approvedCall,
  channelNote,
  deciders,
  digestLine,
  digestNote,
  inputNotes,
  isShownWhole,
  postedTo,
  severalWords,
  toolName,
  undeclaredNote,
} from './card/call.ts';
export { directCopy } from './card/direct-copy.ts';
export { inputBlocks, REMINDER } from './card/input.ts';
export { listCard } from './card/list/list-card.ts';
export { lostCard } from './card/lost-card.ts';
export { offers } from './card/offers.ts';
export { directReminder, remindedPeople, reminder } from './card/reminder.ts';
export { answerModal, OTHERWISE } from './forms/answer-modal.ts';
export { askedNote, askModal } from './forms/ask-modal.ts';
export { confirmModal } from './forms/confirm-modal.ts';
export { denyAllModal } from './forms/deny-all-modal.ts';
export { denyModal } from './forms/deny-modal.ts';
export { type EditedFields, editProblemAt, readEdit } from './forms/edit-fields.ts';
export { confirmEditModal, editModal } from './forms/edit-modal.ts';
export { type AskMemory, calledTool, type FormMemory, form, textField } from './forms/form.ts';
export { inputFile, inputModalInSteps, loadingModal, messageModal } from './forms/input-modal.ts';
export { referModal, referredNote } from './forms/refer-modal.ts';
export { drawField } from './forms/schema/field-blocks.ts';
export { type Field, readFields, seenAs } from './forms/schema/fields.ts';
export { problemAt, readAnswer } from './forms/schema/values.ts';
export { lineModal, NARROWEST, termsModal, WIDER } from './forms/terms-modal.ts';
export * from './kit/blocks.ts';
export { BUTTONS, type ButtonId, type ButtonRow, type MenuVerb, QUESTION_BUTTON } from './kit/buttons.ts';
export { FIELD, FORMS, type FormId, type FormName, NEXT, SHORTCUT } from './kit/forms.ts';
export { shownInSteps } from './kit/input-text.ts';
export { SHOWN, SLACK } from './kit/limits.ts';
export { mixedNote, mixedWords } from './kit/mixed-scripts.ts';
export { cutMiddle, visible, visibleProse } from './kit/text.ts';
export { homeView, settledView, unreadableHome } from './pages/home-view.ts';
export { TRUSTED_TITLE, trustedModal, trustedView } from './pages/trusted-view.ts';
export { usageView } from './pages/usage-view.ts';
export { unheardNote, waitingView } from './pages/waiting-view.ts';
export { growingReply, growingTasks, PLACEHOLDER } from './reply/growing.ts';
export { replyInSteps } from './reply/reply.ts';
export { truthOfAll } from './words/all-answers.ts';
export * from './words/answers.ts';
export { commandHelp, THREAD_HELP } from './words/help.ts';
export { type QuestionAnswers, truthOfQuestion, UNKNOWN_QUESTION } from './words/question-answers.ts';
export { inWords, listed } from './words/wording.ts';
