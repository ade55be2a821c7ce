import { z } from 'zod';
import { ConfigurationError } from '../../../../interventions/index.ts';
import type { SessionEntry } from './session-entry.ts';

/** The shapes of what an agent reads back. A file may be edited, cut, or written by another version. */

const Value = z.unknown().refine((value) => value !== undefined, 'is missing');
const Media = z.object({ type: z.enum(['image', 'document']), mediaType: z.string(), base64: z.string() });
const Text = z.object({ type: z.literal('text'), text: z.string() });
const ToolUse = z.object({ type: z.literal('toolUse'), toolUseId: z.string(), name: z.string(), input: Value });
const Result = z.object({
  type: z.literal('toolResult'),
  toolUseId: z.string(),
  status: z.enum(['success', 'error']),
  content: z.array(z.discriminatedUnion('type', [Text, Media])),
});
const Block = z.discriminatedUnion('type', [
  Text,
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  ToolUse,
  Result,
  Media,
  z.object({ type: z.literal('opaque'), value: Value }),
]);
export const StoredBlocks = z.array(Block);
const Message = z.object({ role: z.enum(['user', 'assistant']), content: StoredBlocks });
/** An answer of a model. */
export const Answer = z.object({
  message: Message.extend({ role: z.literal('assistant') }),
  stopReason: z.string(),
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheReadTokens: z.number().optional(),
    cacheWriteTokens: z.number().optional(),
  }),
});
export const StoredMessages = z.array(Message);

const Interrupt = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(['tool', 'hook']),
  handler: z.string().optional(),
  digest: z.string().optional(),
  answers: z.array(z.unknown()).optional(),
  approvals: z.array(z.unknown()).optional(),
  expiresAtMs: z.number().optional(),
  toolUseId: z.string().optional(),
  problem: z.string().optional(),
});
const Answers = z.array(z.object({ interruptId: z.string(), response: Value }));
const Reactions = z
  .array(z.object({ handler: z.string(), reaction: z.object({ type: z.enum(['endTurn', 'stop']) }) }))
  .optional();
const Pending = z.object({
  message: Message,
  results: z.array(Result),
  started: z.array(z.string()).optional(),
  ran: z.record(z.string(), z.object({ toolUse: ToolUse, result: Result, reactions: Reactions })).optional(),
  reactions: Reactions,
  tries: z.record(z.string(), z.number()).optional(),
});

const StoredSnapshot = z.object({
  version: z.literal(1),
  state: z.object({
    messages: StoredMessages,
    pending: Pending.optional(),
    interrupts: z.array(Interrupt).optional(),
    held: StoredMessages.optional(),
    settled: z.number().optional(),
    turn: z.number().optional(),
  }),
  appState: z.record(z.string(), z.unknown()),
  spent: Answers,
  queued: StoredMessages.optional(),
});

const Reduced = z.object({ role: z.enum(['user', 'assistant']), content: z.array(z.looseObject({})) });

/** The compiler sees that each kind of entry is here. */
const ENTRIES = {
  message: { message: Message },
  turn: { message: Message },
  started: { toolUseId: z.string(), digest: z.string() },
  unstarted: { toolUseId: z.string() },
  retried: { toolUseId: z.string(), attempt: z.number() },
  result: { result: Result, executed: z.boolean(), reactions: Reactions },
  ran: { result: Result, call: z.object({ name: z.string(), input: Value }).optional(), reactions: Reactions },
  let: { toolUseId: z.string(), reactions: Reactions },
  asked: { interrupts: z.array(Interrupt), gone: z.array(z.string()), held: StoredMessages.optional() },
  settled: { messages: z.union([StoredMessages, z.literal('held')]) },
  answered: { answers: Answers },
  queued: { messages: StoredMessages },
  dropped: {},
  reduced: { parts: z.array(z.union([z.object({ from: z.number(), to: z.number() }), Reduced])) },
  kept: { key: z.string() },
} satisfies Readonly<Record<SessionEntry['type'], z.ZodRawShape>>;

type Kind = z.ZodObject<{ readonly type: z.ZodLiteral<string> }>;
const KINDS: readonly Kind[] = Object.entries(ENTRIES).map(([type, shape]) =>
  z.object({ type: z.literal(type), ...shape }),
);
export const StoredEntries = z.array(z.discriminatedUnion('type', KINDS as [Kind, ...Kind[]]));

/** Refuses what has another shape, before anything runs on it. */
export function checkStored(
  schema: z.ZodType,
  value: unknown,
  { what, next }: { readonly what: string; readonly next: string },
): void {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return;
  const at = issue.path.length === 0 ? '' : ` At ${issue.path.join('.')}:`;
  throw new ConfigurationError(`${what} cannot be used, so nothing runs on it.${at} ${issue.message}. ${next}`);
}

/** Refuses messages and snapshots of another shape: they come from a file or a store of the program. */
export function checkMemory({
  snapshot,
  messages = [],
}: {
  readonly snapshot?: unknown;
  readonly messages?: unknown;
}): void {
  checkStored(StoredMessages, messages, {
    what: 'The option messages',
    next: 'Give a list of { role, content }, where content is a list of blocks such as { type: "text", text }.',
  });
  if (snapshot === undefined) return;
  const { version = 1 } = (snapshot ?? {}) as { readonly version?: unknown };
  if (version !== 1) {
    throw new ConfigurationError(`A snapshot of version ${version} cannot be read here. Update this program.`);
  }
  checkStored(StoredSnapshot, snapshot, {
    what: 'The snapshot',
    next: 'It was edited, cut, or written by another version. Give it as snapshot() returned it.',
  });
}
