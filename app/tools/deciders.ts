import { z } from 'zod';
import type { Json } from '../../interventions/index.ts';
import { given } from '../given.ts';
import { LIMITS } from '../limits.ts';
import { isGroup, LOOKED_UP } from '../records/index.ts';

/** The call about which a function names the approvers. */
export interface CallToApprove {
  readonly tool: string;
  /** The input as the tool takes it, with its secrets. */
  readonly input: Json;
  /** The Slack id of the person who asked. */
  readonly requester: string;
  readonly team: string;
  readonly channel: string;
  /** The timestamp of the thread. */
  readonly thread: string;
}

/**
 * Names who may approve a call: the Slack ids of people (`U…`) and user groups (`S…`). Called when the call is asked about and
 * again at a press, so it must only look. An error, a late answer or an empty list means that no person may approve yet.
 */
export type FindApprovers = (
  call: CallToApprove,
  help: { readonly signal: AbortSignal },
) => Promise<readonly string[]> | readonly string[];

/** Who decides about the calls of a tool. */
export interface DecisionTerms {
  /**
   * Slack ids of people (`U…`) and user groups (`S…`), `'requester'` for the person who asked, `'channel'` for all members
   * of the channel. With none, the requester decides.
   */
  readonly approvers?: readonly string[] | undefined;
  /** Names the approvers of each call. `approvers` then holds a word that stands for them. */
  readonly findApprovers?: FindApprovers | undefined;
  /** May the requester of a call decide about it? `false`: only other approvers may. */
  readonly selfApproval?: boolean | undefined;
  /** How many different people must approve. One denial ends the question. */
  readonly quorum?: number | undefined;
  /** Stages follow one another, each with its own people. In place of `approvers`. */
  readonly stages?: readonly StageTerms[] | undefined;
}

/** The same as a deployment writes it: in place of a list, `approvers` may be a function. */
export interface WrittenTerms extends Omit<DecisionTerms, 'approvers' | 'findApprovers'> {
  readonly approvers?: readonly string[] | FindApprovers | undefined;
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

const APPROVERS = "must be a list of Slack ids, such as ['U012ABCDE'], or a function that gives one";
const Approvers = z.array(Approver, "must be a list of Slack ids, such as ['U012ABCDE']");

const NO_PERSON = 'names no person. Add the Slack id of a person or a user group, or leave it out';

const Quorum = z
  .number('must be a number of people')
  .int('must be a whole number of people')
  .positive('must be above 0')
  .max(20, 'must be at most 20: no card can wait for so many');

export const decisionTermsShape = {
  approvers: Approvers.optional(),
  selfApproval: z.boolean().optional(),
  quorum: Quorum.optional(),
  stages: z
    .array(
      z.strictObject({
        approvers: Approvers.min(1, 'must name a person or a user group: a stage without people never ends'),
        quorum: Quorum.optional(),
      }),
    )
    .min(1, 'must hold a stage, or be left out')
    .max(5, 'must be at most 5 stages')
    .optional(),
};

/** The terms of a policy or a rule, in which a function may name the approvers. */
export const writtenTermsShape = {
  ...decisionTermsShape,
  approvers: z
    .union([Approvers.min(1, NO_PERSON), z.custom<FindApprovers>((value) => typeof value === 'function')], APPROVERS)
    .optional(),
};

/** Splits a function off, and leaves a word in its place. */
export function readTerms<Terms extends WrittenTerms>(terms: Terms): Omit<Terms, 'approvers'> & DecisionTerms {
  const { approvers, ...rest } = terms;
  if (typeof approvers !== 'function') return { ...rest, ...given({ approvers }) };
  return { ...rest, approvers: [LOOKED_UP], findApprovers: approvers };
}

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
  const known = counting.every((approver) => !isGroup(approver) && approver !== 'channel' && approver !== LOOKED_UP);
  if (known && counting.length < quorum)
    return `names ${counting.length} and the quorum is ${quorum}, so it could never be reached. Name more, or lower the quorum`;
  return undefined;
}
