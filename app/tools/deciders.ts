import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** Who decides about the calls of a tool, as the deployment writes it. */
export interface DecisionTerms {
  /**
   * Slack ids of people (`U…`) and user groups (`S…`), `'requester'` for the person who asked, `'channel'` for all members
   * of the channel. With none, the requester decides.
   */
  readonly approvers?: readonly string[] | undefined;
  /** May the requester of a call decide about it? `false`: only other approvers may. */
  readonly selfApproval?: boolean | undefined;
  /** How many different people must approve. One denial ends the question. */
  readonly quorum?: number | undefined;
  /** Stages follow one another, each with its own people. In place of `approvers`. */
  readonly stages?: readonly StageTerms[] | undefined;
}

export interface StageTerms {
  readonly approvers: readonly string[];
  readonly quorum?: number | undefined;
}

/** Slack ids are letters and digits, and their first letter says what they are: a person, or a user group. */
export const ApproverId = z
  .string()
  .regex(/^[UWS][A-Z0-9]{2,}$/, 'is not the Slack id of a person (U…) or a user group (S…). Copy it from the profile');

const Approver = z.union(
  [ApproverId, z.literal(['requester', 'channel'])],
  "is not the Slack id of a person (U…) or a user group (S…), nor 'requester' or 'channel'. Copy it from the profile",
);

const Quorum = z
  .number('must be a number of people')
  .int('must be a whole number of people')
  .positive('must be above 0')
  .max(20, 'must be at most 20: no card can wait for so many');

export const decisionTermsShape = {
  approvers: z.array(Approver).optional(),
  selfApproval: z.boolean().optional(),
  quorum: Quorum.optional(),
  stages: z
    .array(
      z.strictObject({
        approvers: z.array(Approver).min(1, 'must name a person or a user group: a stage without people never ends'),
        quorum: Quorum.optional(),
      }),
    )
    .min(1, 'must hold a stage, or be left out')
    .max(5, 'must be at most 5 stages')
    .optional(),
};

export interface DecidersProblem {
  readonly key: keyof DecisionTerms;
  readonly problem: string;
}

/** Why these people could never approve, as far as that can be known before a question is asked. */
export function problemWithDeciders(
  { approvers = [], selfApproval, quorum, stages }: DecisionTerms,
  effect: 'asked' | 'guarded',
): DecidersProblem | undefined {
  if (stages !== undefined && (approvers.length > 0 || quorum !== undefined))
    return {
      key: 'stages',
      problem: 'stands beside approvers or quorum. Each stage names its own; leave the others out',
    };
  if (stages === undefined && approvers.length === 0 && effect === 'guarded')
    return {
      key: 'approvers',
      problem:
        'names no person, so this guarded tool could never be approved. Add the Slack id of a person or a user group',
    };
  if (stages === undefined && approvers.length === 0 && (quorum ?? 1) > 1)
    return { key: 'quorum', problem: 'asks for several people, and no approver is named. Add approvers' };
  if (stages === undefined && approvers.length === 0 && selfApproval === false)
    return {
      key: 'selfApproval',
      problem: 'is false and no approver is named, so no person could decide. Add approvers',
    };
  const all = stages ?? [{ approvers, quorum }];
  const named = new Set(all.flatMap((stage) => stage.approvers)).size;
  if (named > LIMITS.deciders)
    return {
      key: stages === undefined ? 'approvers' : 'stages',
      problem: `names ${named}, and the most is ${LIMITS.deciders}. Put the people into a user group, and name that`,
    };
  for (const stage of all) {
    const problem = problemWithStage(stage, { selfApproval, effect });
    if (problem !== undefined) return { key: stages === undefined ? 'approvers' : 'stages', problem };
  }
  return undefined;
}

function problemWithStage(
  { approvers, quorum = 1 }: StageTerms,
  { selfApproval, effect }: { readonly selfApproval: boolean | undefined; readonly effect: 'asked' | 'guarded' },
): string | undefined {
  if (approvers.length === 0) return undefined;
  const twice = approvers.find((approver, index) => approvers.indexOf(approver) !== index);
  if (twice !== undefined) return `names ${twice} twice. Remove one`;
  if (selfApproval === false && approvers.includes('requester'))
    return "names 'requester', and selfApproval is false. Remove one of the two";
  // Membership of a channel gives no right to approve what cannot be undone.
  const counting = effect === 'guarded' ? approvers.filter((approver) => approver !== 'channel') : approvers;
  if (counting.length === 0)
    return "names only 'channel', and being in a channel never decides about a guarded tool. Name people or a user group";
  const known = counting.every((approver) => !approver.startsWith('S') && approver !== 'channel');
  if (known && counting.length < quorum)
    return `names ${counting.length} and the quorum is ${quorum}, so it could never be reached`;
  return undefined;
}
