import type { HandlerReaction, Interrupt, Message, ToolResultBlock, ToolUseBlock } from '../../interventions/index.ts';
import { unreachable } from '../../interventions/index.ts';
import { given } from '../given.ts';
import type { LoopFact } from './ports.ts';

/**
 * Everything a loop needs to go on, as data. It is the fold of the recorded facts, so a journal of facts and a stored
 * state are the same. `messages` never ends with an unanswered tool request: that waits in `pending`.
 */
export interface LoopState {
  readonly messages: readonly Message[];
  readonly pending?: PendingBatch;
  /** Questions of a pause, waiting and answered. */
  readonly interrupts?: readonly Interrupt[];
  /** Input that waits until people have let it in. */
  readonly held?: readonly Message[];
  /** Counts the settled questions outside tool calls, so that an answer counts once. */
  readonly settled?: number;
  /** Counts model answers, so that questions of different turns never share an id. */
  readonly turn?: number;
}

/** An answered turn whose calls are not all finished. */
export interface PendingBatch {
  readonly message: Message;
  readonly results: readonly ToolResultBlock[];
  /** Calls that were started. Without a result, their outcome is unknown. */
  readonly started?: readonly string[];
  /** Calls that have run, and whose results people have not yet released. */
  readonly ran?: Readonly<Record<string, RanCall>>;
  /** What handlers want to happen when all calls are finished. */
  readonly reactions?: readonly HandlerReaction[];
  /** Number of tries by tool call id, for calls with more than one. */
  readonly tries?: Readonly<Record<string, number>>;
}

/** A call that has run and is not run again. */
export interface RanCall {
  /** What ran. */
  readonly toolUse: ToolUseBlock;
  readonly result: ToolResultBlock;
  readonly reactions?: readonly HandlerReaction[];
}

/** The state after a fact. Pure. */
export function applyFact(state: LoopState, fact: LoopFact): LoopState {
  switch (fact.type) {
    case 'message':
      return { ...state, messages: append(state.messages, [fact.message]) };
    case 'turn':
      return applyTurn(state, fact.answer.message);
    case 'started':
      return patchPending(state, ({ started = [] }) => ({ started: [...started, fact.toolUse.toolUseId] }));
    case 'unstarted':
      return patchPending(state, ({ started = [] }) => ({ started: started.filter((id) => id !== fact.toolUseId) }));
    case 'retried':
      return patchPending(state, ({ tries, ran, started = [] }) => ({
        tries: { ...tries, [fact.toolUseId]: fact.attempt },
        started: started.filter((id) => id !== fact.toolUseId),
        ...without(ran, fact.toolUseId),
      }));
    case 'ran': {
      const { toolUse, result, reactions } = fact;
      const call: RanCall = { toolUse, result, ...given({ reactions }) };
      return patchPending(state, ({ started = [], ran }) => ({
        started: started.filter((id) => id !== result.toolUseId),
        ran: { ...ran, [result.toolUseId]: call },
      }));
    }
    case 'paused':
      return { ...state, interrupts: fact.interrupts, ...given({ held: fact.held }) };
    case 'settled': {
      const { held: _held, interrupts: _answered, ...rest } = state;
      return { ...rest, messages: append(state.messages, fact.messages), settled: (state.settled ?? 0) + 1 };
    }
    case 'result':
      return applyResult(state, fact.result, fact.reactions);
    default:
      return unreachable(fact);
  }
}

export function toolUsesOf(message: Message): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'toolUse');
}

export function toolResultsOf(message: Message | undefined): readonly ToolResultBlock[] {
  return message?.content.filter((block) => block.type === 'toolResult') ?? [];
}

/** Results in the order in which a message asked for them. */
export function inOrder(message: Message, results: readonly ToolResultBlock[]): readonly ToolResultBlock[] {
  return toolUsesOf(message).flatMap(({ toolUseId }) => results.find((one) => one.toolUseId === toolUseId) ?? []);
}

/** Joins neighbours of the same role into one message, because a model expects roles to alternate. */
export function alternating(messages: readonly Message[]): readonly Message[] {
  const firstWrong = notAlternating(messages);
  if (firstWrong === -1) return messages;
  const merged = messages.slice(0, firstWrong);
  for (const { role, content } of messages.slice(firstWrong)) {
    const last = merged.at(-1);
    if (last?.role !== role) merged.push({ role, content });
    else merged[merged.length - 1] = { role, content: [...last.content, ...content] };
  }
  return merged;
}

/** The lengths of lists of a state in which roles alternate. Looking through a list takes longer the longer the conversation is. */
const ALTERNATING = new WeakMap<readonly Message[], number>();

/** The same for the messages of a state. What was looked through once, a later turn does not look through again. */
export function alternatingOf({ messages }: LoopState): readonly Message[] {
  if (isKnown(messages)) return messages;
  const joined = alternating(messages);
  if (joined === messages) ALTERNATING.set(messages, messages.length);
  return joined;
}

/** Unlike a spread, `concat` makes the list with just the room that it needs. */
function append(messages: readonly Message[], more: readonly Message[]): readonly Message[] {
  const all = messages.concat(more);
  if (isKnown(messages) && notAlternating(all, messages.length) === -1) ALTERNATING.set(all, all.length);
  return all;
}

const isKnown = (messages: readonly Message[]): boolean => ALTERNATING.get(messages) === messages.length;

/** The first index at which roles do not alternate. A plain loop, because a conversation may be long. */
function notAlternating(messages: readonly Message[], from = 0): number {
  let before = messages[from - 1]?.role;
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined || message.role === before || message.origin !== undefined) return index;
    before = message.role;
  }
  return -1;
}

export function textMessage(role: Message['role'], text: string, origin?: Message['origin']): Message {
  return { role, content: [{ type: 'text', text }], ...given({ origin }) };
}

export function errorResult(toolUseId: string, text: string): ToolResultBlock {
  return { type: 'toolResult', toolUseId, status: 'error', content: [{ type: 'text', text }] };
}

/** What the model is told of a call that has run, when people have not released its result. */
export const WITHHELD =
  'This tool call ran, and its result is withheld: no person has said that it may be used. Do not simply call it again.';

/** What is kept under the id of a call. The model chooses ids, and may choose the name of a member that every object has. */
export function keptUnder<Kept>(kept: Readonly<Record<string, Kept>> | undefined, toolUseId: string): Kept | undefined {
  return kept !== undefined && Object.hasOwn(kept, toolUseId) ? kept[toolUseId] : undefined;
}

/** A result for each call that has none and will get none, so that the conversation can go on. */
export function closingResults(
  { message, results, ran, started = [] }: PendingBatch,
  text: string,
): readonly ToolResultBlock[] {
  const known = new Set(results.map(({ toolUseId }) => toolUseId));
  return toolUsesOf(message).flatMap(({ toolUseId }) => {
    if (known.has(toolUseId)) return [];
    const lost = started.includes(toolUseId) ? 'It is not known whether this tool call happened.' : text;
    return [errorResult(toolUseId, keptUnder(ran, toolUseId) === undefined ? lost : WITHHELD)];
  });
}

/** Whether no call of the batch has run, and none may have. */
export function isUntouched({ results, started = [], ran = {} }: PendingBatch): boolean {
  return results.length + started.length + Object.keys(ran).length === 0;
}

function applyTurn(state: LoopState, message: Message): LoopState {
  const turn = (state.turn ?? 0) + 1;
  if (toolUsesOf(message).length > 0) return { ...state, turn, pending: { message, results: [] } };
  return { ...state, turn, messages: append(state.messages, [message]) };
}

function applyResult(state: LoopState, result: ToolResultBlock, reactions: readonly HandlerReaction[] = []): LoopState {
  const { pending, interrupts: _answered, ...rest } = state;
  if (pending === undefined || pending.results.some(({ toolUseId }) => toolUseId === result.toolUseId)) return state;
  const results = [...pending.results, result];
  const content = inOrder(pending.message, results);
  if (content.length < toolUsesOf(pending.message).length)
    return { ...state, pending: { ...pending, results, ...reactionsOf(pending, reactions) } };
  return { ...rest, messages: append(state.messages, [pending.message, { role: 'user', content }]) };
}

function without(ran: PendingBatch['ran'], toolUseId: string): Pick<PendingBatch, 'ran'> {
  if (ran === undefined) return {};
  const { [toolUseId]: _again, ...others } = ran;
  return { ran: others };
}

function reactionsOf({ reactions: known = [] }: PendingBatch, more: readonly HandlerReaction[]) {
  return more.length === 0 ? {} : { reactions: [...known, ...more] };
}

function patchPending(state: LoopState, patch: (pending: PendingBatch) => Partial<PendingBatch>): LoopState {
  if (state.pending === undefined) return state;
  return { ...state, pending: { ...state.pending, ...patch(state.pending) } };
}
