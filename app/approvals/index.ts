export type { ApprovalsAtWork, VerdictPress } from './answers.ts';
export {
  type Approvals,
  type ApprovalsDeps,
  type AskAgainResult,
  type ConsiderResult,
  createApprovals,
  type DecideAllResult,
  type DecideResult,
  type LostClaim,
  type WaitingList,
} from './approvals.ts';
export { checkEdit, type EditDeps } from './edits.ts';
export { createSuggestRule, type SuggestRule } from './suggestions.ts';
