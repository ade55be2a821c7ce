import { z } from 'zod';
import {
  ApprovalId,
  CardReceipt,
  entry,
  Precondition,
  QUESTION_ENTRIES,
  RuledBy,
  RunId,
  StoredDecisionRule,
  TextRef,
  Thread,
  TrustId,
  TrustOffer,
  Undeclared,
  UserId,
  Verdict,
  Wants,
} from '../../records/index.ts';
import type { Stamp } from '../line/line.ts';
import { COPY_ENTRIES } from './copies.ts';
import { FEEDBACK_ENTRIES } from './feedback.ts';
import { AskedUnder } from './judgement.ts';
import { LIST_CARD_ENTRIES } from './list-cards.ts';
import { LOST_CARD_ENTRIES } from './lost-cards.ts';
import { POSTING_ENTRIES } from './posting.ts';
import { REMINDER_ENTRIES, REMINDER_TIMES } from './reminders.ts';
import { TRUSTED_LINE_ENTRIES, TrustedCall } from './trusted-lines.ts';

/** Answered on the page outside of Slack, by a person who was signed on there. */
const onWeb = z.literal(true).optional();

/**
 * The entries of a run's journal. A written entry never changes, so its shape is a promise: a new kind or a changed field
 * needs a new format version, and older entries stay readable for ever.
 */

/** What lets a call start: the rules need no approval, a person approved it, or a trust covers it. */
export const StartGrant = z.discriminatedUnion('type', [
  /** `rule`: the policy rule that lets it run. */
  z.object({ type: z.literal('open'), rule: z.string().optional() }),
  z.object({ type: z.literal('approval'), approval: ApprovalId }),
  z.object({ type: z.literal('trust'), grant: TrustId }),
]);
export type StartGrant = z.infer<typeof StartGrant>;

const at = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
const Tokens = z
  .object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
  .readonly();

export const EntryBody = z.discriminatedUnion('type', [
  entry('run-started', {
    run: RunId,
    thread: Thread,
    requester: UserId,
    previous: RunId.optional(),
    /** The sum of what all earlier runs of the thread used, so that their journals need not be read again. */
    earlier: z.object({ runs: count, turns: count, tokens: Tokens }).readonly().optional(),
  }),
  /** A person's message came from the inbox into the run. `item` is the message as the model gets it. */
  entry('person-said', {
    key: z.string(),
    user: UserId,
    item: at,
    /** The people besides its author whose words it gives the agent. */
    alsoSteeredBy: z.array(UserId).readonly().optional(),
    /** The words that tell the thread which part of the message could not be read. */
    unread: z.string().optional(),
  }),
  /** An intervention wrote to the model. */
  entry('guided', { item: at }),
  entry('turn-answered', {
    turn: z.number().int(),
    item: at,
    stopReason: z.string(),
    /** The answer has text that the thread is owed. */
    says: z.boolean(),
    calls: z.array(z.string()).readonly(),
    tokens: Tokens,
  }),
  /** The thread got a post that it was owed; `key` names which. */
  entry('posted', { key: z.string(), card: CardReceipt }),
  /** A reply is streamed into the thread. Written first as an intent, without `card`, and again with the receipt. */
  entry('reply-begun', { card: CardReceipt.optional(), by: z.string().optional() }),
  /** The streamed reply was removed from the thread. */
  entry('reply-dropped', {}),

  entry('call-asked', {
    approval: ApprovalId,
    call: z.string(),
    tool: z.string(),
    /** Hash of the tool's definition when people were asked. */
    definition: z.string(),
    /** Hash of the deployment's rules for the tool at that time. */
    policy: z.string().optional(),
    effect: z.enum(['asked', 'guarded']),
    input: TextRef,
    /** The input with its secrets hidden, where it has any; `hides` says where. Other texts of this entry hide them too. */
    shown: TextRef.optional(),
    hides: z.array(z.string()).readonly().optional(),
    /** The hidden parts that the tool's schema does not declare secret. Written with `hides`, even when empty. */
    undeclared: z.array(Undeclared).readonly().optional(),
    digest: z.string(),
    summary: z.string(),
    reason: z.string().optional(),
    rule: StoredDecisionRule,
    /** The policy rule that made this call ask. */
    ruledBy: RuledBy.optional(),
    trust: TrustOffer.optional(),
    preview: z.string().optional(),
    precondition: Precondition.optional(),
    was: z.string().optional(),
    secondFactor: z.literal(true).optional(),
    /** So many plain approvals of this call precede it in a row that `suggestedRule` gives a rule for it. */
    approvedInARow: z.number().int().positive().optional(),
    /** The text of that rule, in entries of versions before 0.2. */
    suggestion: z.string().optional(),
    wants: Wants.optional(),
    expiresAtMs: z.number().int(),
    ...REMINDER_TIMES,
  }),
  /** A policy rule denied the call, or is on trial (`shadow`) and would have had this effect. */
  entry('call-judged', {
    call: z.string(),
    tool: z.string(),
    digest: z.string(),
    rule: z.string(),
    would: z.enum(['deny', 'guard', 'ask', 'allow']),
    shadow: z.boolean(),
  }),
  entry('card-posted', { approval: ApprovalId, card: CardReceipt }),
  /** The card shows this revision. It is older than the one before when that painting came late, and is then painted over. */
  entry('card-painted', { approval: ApprovalId, revision: z.number().int() }),
  entry('press-refused', { approval: ApprovalId, by: UserId, verdict: Verdict, why: z.string() }),
  /** One of several approvals that this call needs. The call does not run yet. */
  entry('yes-counted', { approval: ApprovalId, by: UserId, onWeb }),
  /** An approval counts no more: its person lost the right to decide, or an earlier stage lost an approval. */
  entry('yes-dropped', { approval: ApprovalId, by: UserId }),
  entry('call-decided', {
    approval: ApprovalId,
    verdict: Verdict,
    by: UserId,
    onWeb,
    reason: z.string().optional(),
    /** Only with the verdict `answer`. */
    answer: z.string().optional(),
    grant: TrustId.optional(),
    /** The terms and the line that the person chose, where they differ from the card's. */
    trust: TrustOffer.optional(),
    /** The person changed the input: only these bytes may start. The original input is in `call-asked`. */
    edit: z
      .object({
        input: TextRef,
        shown: TextRef.optional(),
        hides: z.array(z.string()).readonly().optional(),
        digest: z.string(),
        summary: z.string(),
        precondition: Precondition.optional(),
        /** What the rules require for the changed call; absent where they let it run without asking. */
        terms: AskedUnder.optional(),
      })
      .readonly()
      .optional(),
  }),
  /** The person `by` asked the person `to` to decide. It gives neither a right. */
  entry('call-referred', { approval: ApprovalId, by: UserId, to: UserId }),
  entry('call-expired', { approval: ApprovalId }),
  /** The trust that this decision gave was ended by a person. Older journals have it in place of `trust-over`. */
  entry('trust-ended', { approval: ApprovalId, by: UserId }),
  /** The question had expired, and the requester asked the agent for the call again. */
  entry('asked-again', { approval: ApprovalId, by: UserId }),
  entry('call-cancelled', {
    approval: ApprovalId,
    cause: z.string(),
    by: UserId.optional(),
    /** The rules for the call changed. The call is still wanted, and people are asked again under the new rules. */
    again: z.literal(true).optional(),
  }),
  /** The rules changed between the approval and the start, so the approval is void. */
  entry('rules-changed', { approval: ApprovalId }),

  /** Right before the start, the tool found other facts than the approval rests on: the approval is void. */
  entry('precondition-changed', { approval: ApprovalId, digest: z.string().optional() }),

  entry('call-started', {
    call: z.string(),
    attempt: z.string(),
    tool: z.string(),
    digest: z.string(),
    /** Hash of the tool's definition when the call started. */
    definition: z.string().optional(),
    grant: StartGrant,
    /** What the thread is told of the call, where it runs on a trust. */
    trusted: TrustedCall.optional(),
    /** Digest of the facts that the tool found right before the start. */
    precondition: z.string().optional(),
    /** The call was started before, with unknown outcome, and its tool declares that running it twice does no harm. */
    repeats: z.literal(true).optional(),
  }),
  entry('call-finished', {
    call: z.string(),
    attempt: z.string(),
    ok: z.boolean(),
    ms: z.number(),
    /** The time limit of the tool, which the tool reached before it failed. */
    limitMs: z.number().optional(),
    /** The tool failed after it had been told to stop. */
    stopped: z.literal(true).optional(),
    item: at,
  }),
  /** The outcome is unknown: the process of the call is gone or gave it up. It may have run, and is not run again. */
  entry('call-unknown', {
    call: z.string(),
    attempt: z.string(),
    /** The time limit of the tool, which the tool reached. Absent where the process of the call is gone. */
    limitMs: z.number().optional(),
  }),
  /** The model is told `item` of this call, in place of what the tool returned. */
  entry('call-answered', { call: z.string(), item: at }),

  ...LIST_CARD_ENTRIES,
  ...LOST_CARD_ENTRIES,
  ...QUESTION_ENTRIES,
  ...FEEDBACK_ENTRIES,
  ...POSTING_ENTRIES,
  ...TRUSTED_LINE_ENTRIES,
  ...REMINDER_ENTRIES,
  ...COPY_ENTRIES,

  entry('run-finished', {}),
  entry('run-stopped', { cause: z.string(), by: UserId.optional() }),
  /** Slack takes no posts for the thread any more: pending posts are dropped. `cause` is a sentence for the requester. */
  entry('unheard', { cause: z.string().optional() }),
  /** The end is in the journal of the workspace. The run may be removed from `retireAtMs` on; absent, it is kept. */
  entry('sealed', { retireAtMs: z.number().int().optional() }),
]);
export type EntryBody = z.infer<typeof EntryBody>;
export type BodyOf<Type extends EntryBody['type']> = Extract<EntryBody, { readonly type: Type }>;

/** An entry as the fold reads it: what happened, when, and the id by which a repeated append is recognised. */
export type Entry = EntryBody & Stamp;

/** The entry of one type, or of several. */
export type EntryOf<Type extends Entry['type']> = Extract<Entry, { readonly type: Type }>;
