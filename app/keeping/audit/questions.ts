import type { EntryBody } from '../../journal/index.ts';
import type { ApprovalId } from '../../records/index.ts';
import { tellCall } from './calls.ts';
import type { RunSoFar } from './so-far.ts';

type Entry<Type extends EntryBody['type']> = Extract<EntryBody, { readonly type: Type }>;

export function askApproval({ approvals, begun, over }: RunSoFar, entry: Entry<'call-asked'>): string | undefined {
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

export function decideApproval(run: RunSoFar, entry: Entry<'call-decided'>): string | undefined {
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
  if (approval === undefined) return `settles approval ${id}, which nobody was asked`;
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
  if (approval?.standing !== 'yes') return `voids approval ${id}, which nobody has said yes to`;
  if (begun.has(approval.call)) return `voids approval ${id} after its call was started`;
  approval.standing = 'outdated';
  return undefined;
}

export function askInquiry(run: RunSoFar, { call, inquiry }: Entry<'inquiry-asked'>): string | undefined {
  if (run.over || run.begun.get(call)?.end !== 'none') return `asks for call ${call}, which does not run`;
  if (run.inquiries.has(inquiry)) return `asks inquiry ${inquiry} a second time`;
  run.inquiries.set(inquiry, 'open');
  return undefined;
}

export function settleInquiry(
  { inquiries, requester }: RunSoFar,
  { inquiry, how, by }: Entry<'inquiry-settled'>,
): string | undefined {
  const before = inquiries.get(inquiry);
  inquiries.set(inquiry, 'settled');
  if (before === undefined) return `settles inquiry ${inquiry}, which nobody was asked`;
  if (before === 'settled') return `settles inquiry ${inquiry} a second time`;
  const answers = how === 'answered' || how === 'declined';
  return answers && by !== requester ? `takes an answer to ${inquiry} from somebody else` : undefined;
}

export function askDoubt(run: RunSoFar, { call, doubt }: Entry<'doubt-asked'>): string | undefined {
  if (run.over || run.begun.get(call)?.end !== 'unknown') return `asks how call ${call} ended, which is known`;
  if (run.doubts.has(doubt)) return `asks doubt ${doubt} a second time`;
  run.doubts.set(doubt, { call, settled: false });
  return undefined;
}

export function settleDoubt(run: RunSoFar, entry: Entry<'doubt-settled'>): string | undefined {
  const doubt = run.doubts.get(entry.doubt);
  if (doubt === undefined) return `settles doubt ${entry.doubt}, which nobody was asked`;
  if (doubt.settled) return `settles doubt ${entry.doubt} a second time`;
  doubt.settled = true;
  return tellCall(run, doubt.call, entry);
}
