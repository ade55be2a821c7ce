export {
  type Answered,
  type Considered,
  createFindJournal,
  expireQuestion,
  orFailed,
} from './answering.ts';
export { type Cards, createCards, settleSoon } from './cards.ts';
export { type Copies, createCopies } from './copies.ts';
export { createDoubts, type Doubts } from './doubts.ts';
export type { LostCard } from './drawing.ts';
export { createFeedback, type Feedback } from './feedback.ts';
export { createInquiries, type Inquiries, type InquiriesAtWork } from './inquiries.ts';
export { createReminders, type Reminders } from './reminders.ts';
export { createWaiting, type Waiting } from './waiting.ts';
