export {
  type Answered,
  type Considered,
  expireQuestion,
  orFailed,
} from './answering.ts';
export { type Cards, createCards, settleSoon } from './cards.ts';
export { type Copies, createCopies } from './copies.ts';
export { wayOfDoubts } from './doubts.ts';
export { type LostCard, orOwing } from './drawing.ts';
export { createGiveFeedback, type GiveFeedback } from './feedback.ts';
export { askForServer, type SchemaProblem, type ServerAsking, type ToldServer, wayOfInquiries } from './inquiries.ts';
export { createPaintByOne, type PaintByOne, paintAtOnce, type Shown } from './one-painter.ts';
export { createQuestions, type Questions, type QuestionsAtWork } from './questions.ts';
export { remind } from './reminders.ts';
export { createWaiting, type Waiting } from './waiting.ts';
