export { type Ask, type AskResult, decideAsk } from './decide/ask.ts';
export { decideCopiesFound, decideCopiesPainted } from './decide/copies.ts';
export {
  decideAskedAgain,
  decideCancel,
  decideEnd,
  decideExpiry,
  decidePress,
  decideStop,
  decideTrustOver,
  decideUnheard,
  type PressFacts,
  type PressResult,
} from './decide/decide.ts';
export { decideChoice, decideDoubt } from './decide/doubts.ts';
export { decideFeedback, type FeedbackResult } from './decide/feedback.ts';
export { decideLists } from './decide/list-cards.ts';
export { decidePost, isOld, type PostWish, withIntent } from './decide/posting.ts';
export {
  decideAnswer,
  decideCardLost,
  decideQuestion,
  decideQuestionExpiry,
  decideWithdrawal,
  mayAnswer,
  type QuestionAnswer,
  type QuestionAsk,
} from './decide/questions.ts';
export { decideReferral } from './decide/referrals.ts';
export { decideReminder, decideTold } from './decide/reminders.ts';
export { decideChangedTools } from './decide/rules-changed.ts';
export {
  decideAbandoned,
  decideFinish,
  decideOutdated,
  decideStart,
  decideUnknown,
  mayRepeat,
  type StartResult,
} from './decide/start.ts';
export { decideRevoke, decideUse } from './decide/trusts.ts';
export { type BodyOf, type Entry, EntryBody, type EntryOf, type StartGrant } from './facts/entries.ts';
export type { Opinion } from './facts/feedback.ts';
export { itemsOf } from './facts/items.ts';
export type { AskedUnder } from './facts/judgement.ts';
export {
  type EntryThat,
  isEntryThat,
  isOfQuestion,
  questionEntry,
  questionIn,
} from './facts/questions.ts';
export type { CallReminded } from './facts/reminders.ts';
export { sentenceOf, sentenceOfTrust, sentenceOfWorkspace } from './facts/sentences.ts';
export type { TrustedCall } from './facts/trusted-lines.ts';
export { TrustEntryBody } from './facts/trusts.ts';
export {
  type Archived,
  type Configured,
  type Retired,
  type Seal,
  type ToolPinned,
  type TrustEnd,
  WorkspaceBody,
} from './facts/workspace.ts';
export type { AskedApproval, AskedDoubt, AskedQuestion, AskedQuestions, StoredDecision } from './fold/asked.ts';
export { evolve } from './fold/evolve.ts';
export { approvalOf, approvedAsShown, approvedDigest, outdatedBy, pendingApprovals } from './fold/queries/approvals.ts';
export { callKey, callNow, goesOn, isRetry, lastRetry, toolUseIdOf } from './fold/queries/calls.ts';
export { askedUnder, type Judged, judgedAlike } from './fold/queries/judgement.ts';
export { callsOfTurn, isTurnLookedAt, rowsOf } from './fold/queries/list-cards.ts';
export { isOnItsWay, isSame } from './fold/queries/lost-cards.ts';
export { doubtOf, pendingQuestions, questionOf, settledQuestion } from './fold/queries/questions.ts';
export { namedNow, needsSeveral, stagesOf, stagesOfYeses } from './fold/queries/quorum.ts';
export { alsoSteeredBy, barredFrom, steeredBy } from './fold/queries/steering.ts';
export { suggestedRule } from './fold/queries/suggested-rule.ts';
export { covers, type GrantedCall, hasEnded, lastMs, scopeKey } from './fold/queries/trusts.ts';
export { addUsage, costOf, NO_USAGE, type Prices, usageOf, usageSoFar } from './fold/queries/usage.ts';
export { textOf, toApproval, toQuestion, unheardRun } from './fold/queries/view.ts';
export type { CallState, RunState, RunUsage } from './fold/state.ts';
export { evolveTrust, runsOn, type TrustState } from './fold/trusts.ts';
export {
  findBreak,
  hashLine,
  type ItemHashes,
  itemHashesIn,
  NewerEntryError,
  NO_HEAD,
  readLine,
  type Stamp,
  signatureOf,
  writeLines,
} from './line/line.ts';
export { NewerJournalError, type NotRecorded, notRecorded, unlessNewer } from './line/newer.ts';
export { owedCards, owedPaintings, owedQuestions, unpainted, unpaintedQuestions } from './owed/cards.ts';
export { owedCopies } from './owed/copies.ts';
export {
  askedIndex,
  busyIndex,
  concerned,
  settledIndex,
  suggestedIndex,
  unheardIndex,
  waitingIndex,
} from './owed/effects.ts';
export { toldPerhaps } from './owed/reminders.ts';
export { remainsOf } from './owed/retention.ts';
export { runKind } from './owed/run-kind.ts';
export { addUsed, NOTHING_USED, placesIndex, readTurn, tallyIndex, type Used, usedIn } from './owed/tally.ts';
export { lineKey, type OwedLine, owedLines } from './owed/trusted-lines.ts';
export { endOfTrust, giverKey, listsOfTrust, teamKey, threadsKey, trustEffects } from './owed/trusts.ts';
