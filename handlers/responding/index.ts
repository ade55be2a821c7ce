export type { AnswerDelivery, Arrival, Delivery, FormAnswer } from './arrival.ts';
export {
  endOf,
  type FormDeps,
  type FormEnd,
  inPlace,
  longestOf,
  memoryOf,
  onSubmitted,
  openCardForm,
  tellLate,
} from './forms.ts';
export { type Names, namesIn, namesOfChannel, withNames } from './names.ts';
export { answerPress, onPress, type Press, type PressDeps, type PressOn } from './on-press.ts';
export { failureSaid, NotOpenedError, openForm, openOnce, openView, showIn } from './open-view.ts';
export { type Done, handOn, readTaken, type Taken } from './taken.ts';
export {
  answerPrivately,
  fetchInTime,
  type PrivateListener,
  privately,
  type Respond,
  sentence,
  UNTOLD,
  whisper,
  writerOf,
} from './tell.ts';
export {
  answerTrustWords,
  listTrusted,
  type TrustWords,
  type WordsAnswer,
} from './trusting.ts';
export { counts, truthOf } from './truths.ts';
export { createWhyNotHeard, type WhyNotHeard, whyMayNotAsk } from './who-asks.ts';
