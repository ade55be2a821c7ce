import { z } from 'zod';

/** What is stored and what it looks like to those who show it. Nothing here does anything. */

const idOf = <Kind extends string>(letter: string) =>
  z
    .string()
    .regex(new RegExp(`^\\d{2}${letter}[A-Za-z0-9_-]{22}$`))
    .brand<Kind>();

/** Two digits of shard, a letter, and 128 bits of chance. The shard is in the id so that a button alone finds its run. */
export const RunId = idOf<'RunId'>('r');
export const ApprovalId = idOf<'ApprovalId'>('a');
export const GrantId = idOf<'GrantId'>('g');
export type RunId = z.infer<typeof RunId>;
export type ApprovalId = z.infer<typeof ApprovalId>;
export type GrantId = z.infer<typeof GrantId>;

/** A run, a grant, or what concerns a whole workspace: each has a journal of its own. */
export const WorkspaceId = idOf<'WorkspaceId'>('w');
export type WorkspaceId = z.infer<typeof WorkspaceId>;
export type JournalName = RunId | GrantId | WorkspaceId;

/** `team:channel:ts`. The team is part of it: channel and user ids alone are no boundary between tenants. */
export const ThreadKey = z
  .string()
  .regex(/^[^:]+:[^:]+:[^:]+$/)
  .brand<'ThreadKey'>();
export type ThreadKey = z.infer<typeof ThreadKey>;

export const Thread = z
  .object({
    team: z.string().min(1),
    channel: z.string().min(1),
    ts: z.string().min(1),
    /** Where `team` is an organisation: that one of its workspaces in which it was written. It names nothing. */
    workspace: z.string().optional(),
  })
  .readonly();
export type Thread = z.infer<typeof Thread>;

export function threadKey({ team, channel, ts }: Thread): ThreadKey {
  return ThreadKey.parse(`${team}:${channel}:${ts}`);
}

export const UserId = z.string().min(1).brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;

export const Effect = z.enum(['open', 'asked', 'guarded']);
export type ToolEffect = z.infer<typeof Effect>;

/** What one press of Trust grants, and the line above the buttons that says so. The line is stored as it was shown. */
export const TrustOffer = z
  .object({
    line: z.string(),
    match: z.enum(['exact', 'fields', 'any']),
    /** For `fields`: what each of these must be, as canonical JSON. */
    where: z.record(z.string(), z.string()).readonly().optional(),
    scope: z.enum(['thread', 'channel', 'requester']),
    forMs: z.number().int().positive(),
    /** After so many calls it has ended. Absent: as many as fit into its time. */
    uses: z.number().int().positive().optional(),
  })
  .readonly();
export type TrustOffer = z.infer<typeof TrustOffer>;

/** What can be chosen about a trust; the line follows from it. */
export const TrustTerms = TrustOffer.unwrap().omit({ line: true }).readonly();
export type TrustTerms = z.infer<typeof TrustTerms>;

/**
 * Who may decide: with nobody named, only the requester. An approver is a person (`U…`), a user group (`S…`), the word
 * `requester`, or the word `channel` for everybody in the channel of the thread.
 */
const approvers = z.array(UserId).readonly();
const quorum = z.number().int().positive().optional();

export const Stage = z.object({ approvers, quorum }).readonly();
export type Stage = z.infer<typeof Stage>;

export const DecisionRule = z
  .object({
    approvers,
    selfApproval: z.boolean(),
    /** How many different people have to say yes. Absent: one. */
    quorum,
    /** One after the other, each with people of its own; `approvers` then names all of them. */
    stages: z.array(Stage).readonly().optional(),
  })
  .readonly();
export type DecisionRule = z.infer<typeof DecisionRule>;

/** What a yes rests on, as the tool saw the world. The text may be cut, the digest is over all of it. */
export const Precondition = z.object({ text: z.string(), digest: z.string() }).readonly();
export type Precondition = z.infer<typeof Precondition>;
/** One of several yeses that are needed. */
export interface Yes {
  readonly by: UserId;
  readonly atMs: number;
}

/** Somebody asked somebody to decide. */
export interface Referral {
  readonly by: UserId;
  readonly to: UserId;
  readonly atMs: number;
}

export interface Progress {
  /** All that count, also of earlier stages. */
  readonly yeses: readonly Yes[];
  /** Who said yes, and has to again: it does not count any more. */
  readonly dropped?: readonly UserId[];
  /** Counted from 1. */
  readonly stage: number;
  readonly stages: number;
  /** In this stage. */
  readonly given: number;
  readonly needed: number;
  /** Whose turn it is. */
  readonly approvers: readonly UserId[];
}

/** A rule of the deployment, as cards and the audit name it. */
export const RuledBy = z.object({ name: z.string(), because: z.string().optional() }).readonly();
export type RuledBy = z.infer<typeof RuledBy>;

export const CardReceipt = z.object({ channel: z.string(), ts: z.string() }).readonly();
export type CardReceipt = z.infer<typeof CardReceipt>;

/** What one person was told of a question in their own conversation with the bot. It follows the record, as the card does. */
export const Copy = z.object({ to: UserId, card: CardReceipt }).readonly();
export type Copy = z.infer<typeof Copy>;

/** And on what occasion. */
export type ToldCopy = Copy & { readonly what: 'notice' | 'reminder' | 'escalation' };

/** `answer`: the tool does not run, and the person's words are its result. */
export const Verdict = z.enum(['approve', 'deny', 'trust', 'answer']);
export type Verdict = z.infer<typeof Verdict>;

export interface Decision {
  readonly verdict: Verdict;
  readonly by: UserId;
  readonly atMs: number;
  readonly reason?: string;
  /** In place of what the tool would have said. */
  readonly answer?: string;
  readonly grant?: GrantId;
  /** The trust that was given, where it is another than the card offered in one press. */
  readonly trust?: TrustOffer;
  /** What was approved in place of what was asked for: this runs, to the letter, or nothing does. */
  readonly edit?: {
    readonly input: string;
    readonly digest: string;
    readonly summary: string;
    readonly precondition?: Precondition;
    readonly hides?: readonly string[];
  };
}

/** What a person may choose from; with nothing to choose from they write. */
export const Wants = z
  .object({
    choices: z.array(z.string()).readonly(),
    /** A form to fill in, as JSON Schema: then the answer is JSON that fits it. */
    form: z.string().optional(),
  })
  .readonly();
export type Wants = z.infer<typeof Wants>;

/** How the call that was approved came out. */
export type CallOutcome =
  | { readonly type: 'waiting' }
  | { readonly type: 'running' }
  | { readonly type: 'ran'; readonly ms: number }
  | { readonly type: 'failed'; readonly ms: number }
  /** The process died in between, or what allowed it is gone: said, never guessed. */
  | { readonly type: 'unknown' }
  | { readonly type: 'not-applied' };

interface Asked {
  readonly id: ApprovalId;
  readonly run: RunId;
  /** Of the run: tells it from one of the same name in another store. */
  readonly firstEntry?: string;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly tool: string;
  readonly effect: 'asked' | 'guarded';
  /** One human sentence of what it will do. */
  readonly summary: string;
  /** What the agent said right before, in its own words. */
  readonly reason?: string;
  /** The input as JSON text as people are shown it; the digest is over the real one. */
  readonly input: string;
  /** Where in it a secret is hidden. */
  readonly hides?: readonly string[];
  readonly digest: string;
  readonly rule: DecisionRule;
  /** How far it is, where one person is not enough. */
  readonly progress?: Progress;
  /** The rule of the deployment that this was asked by, if one was. */
  readonly ruledBy?: RuledBy;
  readonly trust?: TrustOffer;
  /** What would happen, in the words of the tool. */
  readonly preview?: string;
  readonly precondition?: Precondition;
  /** It was said yes to before, and then this was not so any more. */
  readonly was?: string;
  /** What it rests on, or the rules for it, changed before it could run: it is void, and people are asked again. */
  readonly outdated?: 'world' | 'rules';
  /** Asked in the place of this one. It has a card as soon as that is posted. */
  readonly replacedBy?: { readonly id: ApprovalId; readonly card?: CardReceipt };
  /** Decided outside of Slack, and nowhere else. */
  readonly secondFactor?: true;
  /** The rule that would end the asking. */
  readonly suggestion?: string;
  /** The agent wants a person's words and nothing else: there is nothing that could be approved. */
  readonly wants?: Wants;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  /** Who is called when nobody has answered by then: people and user groups. */
  readonly escalation?: { readonly atMs: number; readonly to: readonly UserId[] };
  readonly card?: CardReceipt;
  /** The list card on which it has a row. */
  readonly list?: ApprovalId;
  /** Who was asked by name, and by whom. */
  readonly referred?: readonly Referral[];
  /** The trust that was given with it was taken away. */
  readonly trustEnded?: { readonly by: UserId; readonly atMs: number };
  /** It expired, and the requester asked once more. */
  readonly askedAgain?: { readonly by: UserId; readonly atMs: number };
  /** Version of the journal when this last changed: an older painting is painted over. */
  readonly revision: number;
}

/** The stored record of a question to people, as every view draws it. */
export type Approval =
  | (Asked & { readonly status: 'pending' })
  | (Asked & { readonly status: 'approved' | 'trusted'; readonly decision: Decision; readonly outcome: CallOutcome })
  | (Asked & { readonly status: 'denied' | 'answered'; readonly decision: Decision })
  | (Asked & { readonly status: 'expired' })
  | (Asked & { readonly status: 'cancelled'; readonly cause: string; readonly by?: UserId })
  /** Taken back because a newer question took its place. */
  | (Asked & { readonly status: 'superseded'; readonly cause: string });

/** A card that asks about several calls of one answer, each in a row and with a decision of its own. */
export interface ListCard {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  /** Fixed before it is posted. */
  readonly rows: readonly Approval[];
  readonly card?: CardReceipt;
  /** Of the row that changed last. */
  readonly revision: number;
}

/** What a person filled into the form of a tool server. */
export const InquiryContent = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]))
  .readonly();
export type InquiryContent = z.infer<typeof InquiryContent>;

/** What a tool server asks the requester in the middle of a call, as its view draws it. */
export interface Inquiry {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly server: string;
  readonly tool: string;
  /** The server's own words, never ours. */
  readonly message: string;
  /** The form as JSON text. What is no form we can draw leaves only the way to decline. */
  readonly schema: string;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly card?: CardReceipt;
  readonly standing: InquiryStanding;
}

export type InquiryStanding =
  | { readonly status: 'pending' }
  | { readonly status: 'answered'; readonly by: UserId; readonly atMs: number; readonly content: InquiryContent }
  | { readonly status: 'declined'; readonly by: UserId; readonly atMs: number }
  /** The call ended or was stopped, or the server does not want to know any more. */
  | { readonly status: 'withdrawn' }
  | { readonly status: 'expired' };

/** What a person can say about a call of which nobody knows whether it finished. */
export type DoubtChoice = 'happened' | 'skip' | 'retry';

/** A call that may have run, and the question what is to become of it, as its view draws it. */
export interface Doubt {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly tool: string;
  readonly summary: string;
  /** The input as JSON text: what may have run, with its secrets hidden. */
  readonly input: string;
  readonly digest: string;
  readonly effect: 'asked' | 'guarded';
  readonly rule: DecisionRule;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly card?: CardReceipt;
  /** The approval that the call was started on. */
  readonly approval?: ApprovalId;
  readonly standing: DoubtStanding;
}

export type DoubtStanding =
  | { readonly status: 'pending' }
  | { readonly status: DoubtChoice; readonly by: UserId; readonly atMs: number; readonly said?: string }
  /** Its process was only slow, and has said so itself. */
  | { readonly status: 'finished' }
  | { readonly status: 'expired' }
  /** The run was stopped. */
  | { readonly status: 'withdrawn' };

/** A standing yes. The line is what was on the card, is what `/trusted` lists, and is what is matched. */
export interface Grant {
  readonly id: GrantId;
  readonly team: string;
  readonly tool: string;
  /** Of the tool's definition when it was trusted: a changed tool is not trusted. */
  readonly definition: string;
  /** Of what the deployment laid down for the tool: under other rules it is not trusted either. */
  readonly policy?: string;
  readonly offer: TrustOffer;
  /** For `exact`: the digest that matches. */
  readonly digest?: string;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly by: UserId;
  readonly approval?: ApprovalId;
  readonly givenAtMs: number;
  readonly untilMs: number;
  readonly uses: number;
  readonly revoked?: { readonly by: UserId; readonly atMs: number };
}

/** A tool as people are told of it. */
export interface KnownTool {
  readonly name: string;
  /** JSON Schema. */
  readonly inputSchema: unknown;
  readonly effect: ToolEffect;
  readonly approvers: readonly string[];
  /** There for those that only a person's answer ends. */
  readonly wants?: unknown;
}

/** A file as a message names it. What it holds is fetched when the agent is to see it. */
export const MessageFile = z
  .object({
    id: z.string(),
    name: z.string(),
    /** In a shared channel Slack first says only that there is one. */
    url: z.string().optional(),
    bytes: z.number().optional(),
  })
  .readonly();
export type MessageFile = z.infer<typeof MessageFile>;

/** What a person had open in Slack beside the app. It says where they look, and lets nobody look there. */
export const Sight = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(['channel', 'canvas', 'list']), id: z.string() }),
    z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  ])
  .readonly();
export type Sight = z.infer<typeof Sight>;

/** A person's message as it waits to be read by the agent. */
export const InboxMessage = z
  .object({
    thread: Thread,
    user: UserId,
    /** Whose workspace the person belongs to; differs in shared channels. */
    userTeam: z.string().optional(),
    ts: z.string(),
    text: z.string(),
    files: z.array(MessageFile).readonly().optional(),
    /** While they wrote; said of messages to the app alone. */
    sees: z.array(Sight).readonly().optional(),
  })
  .readonly();
export type InboxMessage = z.infer<typeof InboxMessage>;
