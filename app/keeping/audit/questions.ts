import { type BodyOf, type EntryThat, isEntryThat, questionIn } from '../../journal/index.ts';
import type { ApprovalId, QuestionEntry } from '../../records/index.ts';
import { tellCall } from './calls.ts';
import type { RunSoFar } from './so-far.ts';

export function askApproval({ approvals, begun, over }: RunSoFar, entry: BodyOf<'call-asked'>): string | undefined {
  if (over) return `asks about call ${entry.call} after the run was over`;
  if (approvals.has(entry.approval)) return `asks approval ${entry.approval} a second time`;
  if (begun.has(entry.call)) return `asks about call ${entry.call}, which has been started`;
  approvals.set(entry.approval, {
    ...entry,
    allowed: { digest: entry.digest, precondition: entry.precondition?.digest },
    standing: 'pending',
  });
  return undefined;
}

export function decideApproval(run: RunSoFar, entry: BodyOf<'call-decided'>): string | undefined {
  const isYes = entry.verdict === 'approve' || entry.verdict === 'trust';
  const says = settleApproval(run, entry.approval, isYes ? 'yes' : 'no');
  const approval = run.approvals.get(entry.approval);
  if (approval !== undefined && entry.edit !== undefined) {
    const { digest, precondition } = entry.edit;
    approval.allowed = { digest, precondition: precondition?.digest };
  }
  return says;
}

export function settleApproval({ approvals }: RunSoFar, id: ApprovalId, standing: 'yes' | 'no'): string | undefined {
  const approval = approvals.get(id);
  if (approval === undefined) return `settles approval ${id}, which was never asked`;
  if (approval.standing !== 'pending') return `settles approval ${id} a second time`;
  approval.standing = standing;
  return undefined;
}

export function countYes({ approvals }: RunSoFar, id: ApprovalId): string | undefined {
  const open = approvals.get(id)?.standing === 'pending';
  return open ? undefined : `counts yeses of approval ${id}, which is not open`;
}

export function voidApproval({ approvals, begun }: RunSoFar, id: ApprovalId): string | undefined {
  const approval = approvals.get(id);
  if (approval?.standing !== 'yes') return `voids approval ${id}, which has no yes`;
  if (begun.has(approval.call)) return `voids approval ${id} after its call was started`;
  approval.standing = 'outdated';
  return undefined;
}

/** Checks an entry about a question of a begun call. Such a question is asked once and settled once. */
export function hearQuestion(run: RunSoFar, entry: QuestionEntry): string | undefined {
  if (isEntryThat(entry, 'asked')) return ask(run, entry);
  return isEntryThat(entry, 'settled') ? settle(run, entry) : undefined;
}

function ask({ over, begun, questions }: RunSoFar, entry: EntryThat<'asked'>): string | undefined {
  const { call } = entry;
  const { kind, id } = questionIn(entry);
  const end = over ? undefined : begun.get(call)?.end;
  if (kind === 'doubt' && end !== 'unknown') return `asks how call ${call} ended, which is known`;
  if (kind !== 'doubt' && end !== 'none') return `asks for call ${call}, which does not run`;
  if (questions.has(id)) return `asks ${kind} ${id} a second time`;
  questions.set(id, { kind, call, settled: false });
  return undefined;
}

function settle(run: RunSoFar, entry: EntryThat<'settled'>): string | undefined {
  const { kind, id } = questionIn(entry);
  const question = run.questions.get(id);
  if (question?.kind !== kind) return `settles ${kind} ${id}, which was never asked`;
  if (question.settled) return `settles ${kind} ${id} a second time`;
  question.settled = true;
  if (entry.type === 'doubt-settled') return tellCall(run, question.call, entry);
  const answers = entry.how !== 'withdrawn' && entry.how !== 'expired';
  return answers && entry.by !== run.requester ? `takes an answer to ${id} that is not from the requester` : undefined;
}
