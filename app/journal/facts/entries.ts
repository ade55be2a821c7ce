import { z } from 'zod';
import {
  ApprovalId,
  CardReceipt,
  entry,
  GrantId,
  Precondition,
  QUESTION_ENTRIES,
  RuledBy,
  RunId,
  StoredDecisionRule,
  TextRef,
  Thread,
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

/**
 * What has happened in a run, entry by entry. An entry is never changed, so its shape is a promise: a new kind or a
 * changed field gets a new format version, and older entries stay readable for ever.
 */

/** What lets a call start: that it is free, a person's decision on it, or a standing trust. */
export const StartGrant = z.discriminatedUnion('type', [
  /** `rule`: the rule of the deployment that lets it run. */
  z.object({ type: z.literal('open'), rule: z.string().optional() }),
  z.object({ type: z.literal('approval'), approval: ApprovalId }),
  z.object({ type: z.literal('trust'), grant: GrantId }),
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
    /** What all runs before it in its thread used, so that nobody has to read them again for a sum. */
    earlier: z.object({ runs: count, turns: count, tokens: Tokens }).readonly().optional(),
  }),
  /** A person's message came from the inbox into the run. `item` is the message as the model is shown it. */
  entry('person-said', {
    key: z.string(),
    user: UserId,
    item: at,
    /** What of it could not be read, in words that the thread is owed. */
    unread: z.string().optional(),
  }),
  /** An intervention wrote to the model. */
  entry('guided', { item: at }),
  entry('turn-answered', {
    turn: z.number().int(),
    item: at,
    stopReason: z.string(),
    /** There is text in it that the thread is owed. */
    says: z.boolean(),
    calls: z.array(z.string()).readonly(),
    tokens: Tokens,
  }),
  /** The thread has been told; `key` names what it was owed. */
  entry('posted', { key: z.string(), card: CardReceipt }),
  /** People read along while something is written: first that this begins, then where it stands. */
  entry('reply-begun', { card: CardReceipt.optional(), by: z.string().optional() }),
  /** It was taken back: nothing of it stands in the thread. */
  entry('reply-dropped', {}),

  entry('call-asked', {
    approval: ApprovalId,
    call: z.string(),
    tool: z.string(),
    /** Hash of the tool's definition as it was when people were asked. */
    definition: z.string(),
    /** Hash of what the deployment laid down for it then. */
    policy: z.string().optional(),
    effect: z.enum(['asked', 'guarded']),
    input: TextRef,
    /** The input as people are shown it, where it hides something; `hides` says where. Everything else here hides it too. */
    shown: TextRef.optional(),
    hides: z.array(z.string()).readonly().optional(),
    /** What of it the tool's schema does not declare secret. Written with `hides`, also where it is empty. */
    undeclared: z.array(Undeclared).readonly().optional(),
    digest: z.string(),
    summary: z.string(),
    reason: z.string().optional(),
    rule: StoredDecisionRule,
    /** The rule of the deployment by which it was asked. */
    ruledBy: RuledBy.optional(),
    trust: TrustOffer.optional(),
    preview: z.string().optional(),
    precondition: Precondition.optional(),
    was: z.string().optional(),
    secondFactor: z.literal(true).optional(),
    /** The rule that would end the asking, as it was offered. */
    suggestion: z.string().optional(),
    wants: Wants.optional(),
    expiresAtMs: z.number().int(),
    ...REMINDER_TIMES,
  }),
  /** A rule of the deployment had its say: it denied the call, or is on trial and would have had this effect. */
  entry('call-judged', {
    call: z.string(),
    tool: z.string(),
    digest: z.string(),
    rule: z.string(),
    would: z.enum(['deny', 'guard', 'ask', 'allow']),
    shadow: z.boolean(),
  }),
  entry('card-posted', { approval: ApprovalId, card: CardReceipt }),
  /** The card shows this revision, an older one than before if that painting came late; a final state owes it its own. */
  entry('card-painted', { approval: ApprovalId, revision: z.number().int() }),
  entry('press-refused', { approval: ApprovalId, by: UserId, verdict: Verdict, why: z.string() }),
  /** One of several yeses that this call needs. It does not run yet. */
  entry('yes-counted', { approval: ApprovalId, by: UserId }),
  /** They may not decide any more, or came after somebody who may not: this yes does not count. */
  entry('yes-dropped', { approval: ApprovalId, by: UserId }),
  entry('call-decided', {
    approval: ApprovalId,
    verdict: Verdict,
    by: UserId,
    reason: z.string().optional(),
    /** With the verdict `answer`, and only then. */
    answer: z.string().optional(),
    grant: GrantId.optional(),
    /** The terms and the line that the person was shown, where they chose others than the card's. */
    trust: TrustOffer.optional(),
    /** The person changed the input: only these bytes may start. What was asked stands in `call-asked`. */
    edit: z
      .object({
        input: TextRef,
        shown: TextRef.optional(),
        hides: z.array(z.string()).readonly().optional(),
        digest: z.string(),
        summary: z.string(),
        precondition: Precondition.optional(),
        /** What the rules said of the changed call; absent where they let it run unasked. */
        terms: AskedUnder.optional(),
      })
      .readonly()
      .optional(),
  }),
  /** Somebody was asked by name to decide. It gives nobody a right. */
  entry('call-referred', { approval: ApprovalId, by: UserId, to: UserId }),
  entry('call-expired', { approval: ApprovalId }),
  /** The standing yes that this decision gave was taken away. */
  entry('trust-ended', { approval: ApprovalId, by: UserId }),
  /** Nobody had answered in time, and the requester put it to the agent once more. */
  entry('asked-again', { approval: ApprovalId, by: UserId }),
  entry('call-cancelled', {
    approval: ApprovalId,
    cause: z.string(),
    by: UserId.optional(),
    /** The rules for it have changed: the call itself is still wanted, and people are asked under those of now. */
    again: z.literal(true).optional(),
  }),
  /** The rules changed between the yes and the start, and would not take that yes any more: it is void. */
  entry('rules-changed', { approval: ApprovalId }),

  /** Right before the start the world was not any more what the yes rests on: the yes is void. */
  entry('precondition-changed', { approval: ApprovalId, digest: z.string().optional() }),

  entry('call-started', {
    call: z.string(),
    attempt: z.string(),
    tool: z.string(),
    digest: z.string(),
    /** Hash of the tool's definition as it was when the call began. */
    definition: z.string().optional(),
    grant: StartGrant,
    /** What the thread is to see of it, where it runs on a trust. */
    trusted: TrustedCall.optional(),
    /** Digest of what the world was like right before. */
    precondition: z.string().optional(),
    /** It was begun before and nobody saw its end; the tool says that once more does no harm. */
    repeats: z.literal(true).optional(),
  }),
  entry('call-finished', { call: z.string(), attempt: z.string(), ok: z.boolean(), ms: z.number(), item: at }),
  /** Somebody else found it started and not finished: it may have run, and is not run again. */
  entry('call-unknown', { call: z.string(), attempt: z.string() }),
  /** What the model is told of a call, where that is not what the tool returned. */
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
  /** The app was removed from the workspace, or the channel takes nothing any more: what is still owed, nobody can be told. */
  entry('unheard', {}),
  /** How it ended stands in the journal of the workspace. From that time on the run may be removed; absent, it is kept. */
  entry('sealed', { retireAtMs: z.number().int().optional() }),
]);
export type EntryBody = z.infer<typeof EntryBody>;

/** As the fold sees it: what happened, when, and under which id its writer may repeat it. */
export type Entry = EntryBody & Stamp;

/** The entry of one kind, or of several. */
export type EntryOf<Type extends Entry['type']> = Extract<Entry, { readonly type: Type }>;
