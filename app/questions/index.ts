export { type Cards, createCards } from './cards.ts';
export { type Copies, createCopies } from './copies.ts';
export { type ChooseResult, createDoubts, type Doubts, type DoubtsAtWork } from './doubts.ts';
export type { LostCard } from './drawing.ts';
export { createFeedback, type Feedback } from './feedback.ts';
export { createFindJournal } from './find-journal.ts';
export {
  type AnswerResult,
  createInquiries,
  type Inquiries,
  type InquiriesAtWork,
  type InquiryConsidered,
} from './inquiries.ts';
export { createReminders, type Reminders } from './reminders.ts';
export { settleSoon } from './settle-soon.ts';
export { createWaiting, type Waiting } from './waiting.ts';
