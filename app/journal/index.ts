export { approvalOf, approvedAsShown, approvedDigest, owedPaintings, pendingApprovals } from './decide/approvals.ts';
export { type Ask, decideAsk } from './decide/ask.ts';
export { callKey, callNow, isRetry, lastRetry, toolUseIdOf } from './decide/calls.ts';
export {
  decideAskedAgain,
  decideCancel,
  decideExpiry,
  decidePress,
  decideStop,
  decideTrustEnded,
  decideUnheard,
  type PressFacts,
  type PressResult,
} from './decide/decide.ts';
export {
  type AskedDoubt,
  decideChoice,
  decideDoubt,
  decideDoubtExpiry,
  decideUnasked,
  owedDoubts,
  pendingDoubts,
  settledDoubt,
} from './decide/doubts.ts';
export {
  covers,
  decideRevoke,
  decideUse,
  evolveGrant,
  GrantBody,
  type GrantedCall,
  type GrantState,
  giverKey,
  grantEffects,
  hasEnded,
  lastMs,
  scopeKey,
  teamKey,
} from './decide/grants.ts';
export {
  type AnswerFacts,
  decideAnswer,
  decideInquiry,
  decideInquiryExpiry,
  decideWithdrawal,
  mayAnswer,
  owedInquiries,
  pendingInquiries,
  settledInquiry,
  toInquiry,
} from './decide/inquiries.ts';
export { callsOfTurn, decideLists, isTurnLookedAt, rowsOf } from './decide/list-cards.ts';
export { decideCardLost, isOnItsWay, isSame } from './decide/lost-cards.ts';
export { decidePost, isOld, type PostWish } from './decide/posting.ts';
export { decideReferral } from './decide/referrals.ts';
export {
  decideAbandoned,
  decideFinish,
  decideOutdated,
  decideStart,
  decideUnknown,
  mayRepeat,
  type StartResult,
} from './decide/start.ts';
export { textOf, toApproval, toDoubt } from './decide/view.ts';
export { type Entry, EntryBody, type StartGrant, type TextRef } from './facts/entries.ts';
export { decideFeedback, type FeedbackResult, type Opinion } from './facts/feedback.ts';
export { namedNow, needsSeveral, stagesOf, stagesOfYeses } from './facts/quorum.ts';
export { type AskingTerms, termsHold, termsNow, termsOf } from './facts/terms.ts';
export { type Configured, type Seal, WorkspaceBody } from './facts/workspace.ts';
export { evolve } from './fold/evolve.ts';
export type { AskedApproval, CallState, RunState, StoredDecision } from './fold/state.ts';
export { alsoSteeredBy, steeredBy } from './fold/steering.ts';
export { addUsage, costOf, NO_USAGE, type Prices, type Usage, usageOf, usageSoFar } from './fold/usage.ts';
export { findBreak, hashLine, NewerEntryError, NO_HEAD, readLine, type Stamp, writeLines } from './line/line.ts';
export { NewerJournalError, type NotRecorded, notRecorded } from './line/newer.ts';
export { decideCopiesFound, decideCopiesPainted, owedCopies } from './owed/copies.ts';
export { askedIndex, busyIndex, concerned, settledIndex, waitingIndex } from './owed/effects.ts';
export { type CallReminded, decideReminder, decideTold, type Reminder, toldPerhaps } from './owed/reminders.ts';
export { remainsOf } from './owed/retention.ts';
export { runKind } from './owed/run-kind.ts';
export { addUsed, NOTHING_USED, placesIndex, readTurn, tallyIndex, type Used, usedIn } from './owed/tally.ts';
export { lineKey, type OwedLine, owedLines, type TrustedCall } from './owed/trusted-lines.ts';
