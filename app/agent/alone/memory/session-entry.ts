import type {
  HandlerReaction,
  Interrupt,
  Json,
  Message,
  SpentAnswer,
  ToolResultBlock,
  ToolUseBlock,
} from '../../../../interventions/index.ts';
import { unreachable } from '../../../../interventions/index.ts';
import { given } from '../../../given.ts';
import { applyFact, keptUnder, type LoopFact, type LoopState, toolUsesOf } from '../../index.ts';
import { applyReduction, type ReducedPart } from './reduction.ts';

/** What an agent keeps between invocations. Data only. */
export interface Remembered {
  readonly state: LoopState;
  readonly appState: Readonly<Record<string, Json>>;
  /** Answers that were used up, so that a late repetition is recognised. */
  readonly spent: readonly SpentAnswer[];
  /** What people said while the agent waited for an answer. */
  readonly queued?: readonly Message[];
}

/** One fact as it is stored. No entry repeats what an earlier one contains. */
export type SessionEntry =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'turn'; readonly message: Message }
  /** `input` only when it differs from what the model gave. */
  | { readonly type: 'started'; readonly toolUseId: string; readonly digest: string; readonly input?: Json }
  | { readonly type: 'unstarted'; readonly toolUseId: string }
  | { readonly type: 'retried'; readonly toolUseId: string; readonly attempt: number }
  | {
      readonly type: 'result';
      readonly result: ToolResultBlock;
      readonly executed: boolean;
      readonly reactions?: readonly HandlerReaction[];
    }
  /** The call ran, and its result waits for people. `call` only when it differs from what the model asked for. */
  | {
      readonly type: 'ran';
      readonly result: ToolResultBlock;
      readonly call?: { readonly name: string; readonly input: Json };
      readonly reactions?: readonly HandlerReaction[];
    }
  /** The result that waited is used as it is. */
  | { readonly type: 'let'; readonly toolUseId: string; readonly reactions?: readonly HandlerReaction[] }
  /** New and changed questions, the ids of those that are gone, and input that waits for the answers. */
  | {
      readonly type: 'asked';
      readonly interrupts: readonly Interrupt[];
      readonly gone: readonly string[];
      readonly held?: readonly Message[];
    }
  /** `held`: the input that waited is used as it is. */
  | { readonly type: 'settled'; readonly messages: readonly Message[] | 'held' }
  | { readonly type: 'answered'; readonly answers: readonly SpentAnswer[] }
  /** Messages that are said once the answers are there. */
  | { readonly type: 'queued'; readonly messages: readonly Message[] }
  /** The last answer of the model was dropped before any call of it ran. */
  | { readonly type: 'dropped' }
  | { readonly type: 'reduced'; readonly parts: readonly ReducedPart[] }
  /** Without a value, the key was deleted. */
  | { readonly type: 'kept'; readonly key: string; readonly value?: Json };

export const NOTHING_REMEMBERED: Remembered = { state: { messages: [] }, appState: {}, spent: [] };

const SPENT_KEPT = 200;

/** What is remembered after an entry. Pure. */
export function applyEntry(remembered: Remembered, entry: SessionEntry): Remembered {
  const { state, appState, spent } = remembered;
  switch (entry.type) {
    case 'kept': {
      const { [entry.key]: _old, ...others } = appState;
      return { ...remembered, appState: entry.value === undefined ? others : { ...others, [entry.key]: entry.value } };
    }
    case 'answered':
      return {
        ...remembered,
        state: { ...state, interrupts: answer(state.interrupts ?? [], entry.answers) },
        spent: [...spent, ...entry.answers].slice(-SPENT_KEPT),
      };
    case 'asked': {
      const { held } = entry;
      const interrupts = merge(state.interrupts ?? [], entry);
      return { ...remembered, state: { ...state, interrupts, ...given({ held }) } };
    }
    case 'settled': {
      const messages = entry.messages === 'held' ? (state.held ?? []) : entry.messages;
      return { ...remembered, state: applyFact(state, { type: 'settled', messages }) };
    }
    case 'ran': {
      const { result, call, reactions = [] } = entry;
      const { name, input } = call ?? requestOf(state, result.toolUseId) ?? { name: '', input: null };
      const toolUse = { type: 'toolUse', toolUseId: result.toolUseId, name, input } as const;
      return { ...remembered, state: applyFact(state, { type: 'ran', toolUse, result, ...reacted(reactions) }) };
    }
    case 'let': {
      const ran = keptUnder(state.pending?.ran, entry.toolUseId);
      if (ran === undefined) return remembered;
      const fact = { type: 'result', result: ran.result, executed: true, ...reacted(entry.reactions) } as const;
      return { ...remembered, state: applyFact(state, fact) };
    }
    case 'dropped': {
      const { pending: _pending, interrupts: _interrupts, ...rest } = state;
      return { ...remembered, state: rest };
    }
    case 'reduced':
      return { ...remembered, state: { ...state, messages: applyReduction(state.messages, entry.parts) } };
    case 'started': {
      const toolUse = { type: 'toolUse', toolUseId: entry.toolUseId, name: '', input: null } as const;
      const { digest } = entry;
      return { ...remembered, state: applyFact(state, { type: 'started', toolUse, original: toolUse, digest }) };
    }
    case 'turn':
      return { ...remembered, state: applyFact(state, { type: 'turn', answer: answerOf(entry.message) }) };
    case 'queued':
      return { ...remembered, queued: [...(remembered.queued ?? []), ...entry.messages] };
    case 'message':
      return { ...withoutQueued(remembered, entry.message), state: applyFact(state, entry) };
    case 'unstarted':
    case 'retried':
    case 'result':
      return { ...remembered, state: applyFact(state, entry) };
    default:
      return unreachable(entry);
  }
}

/** Removes a queued message once it is said. */
function withoutQueued(remembered: Remembered, said: Message): Remembered {
  const { queued: [next, ...later] = [], ...rest } = remembered;
  if (next === undefined || !isSame(next, said)) return remembered;
  return later.length === 0 ? rest : { ...rest, queued: later };
}

/** A fact of the loop as a stored entry. */
export function entryOf(fact: LoopFact, { state }: Remembered): SessionEntry {
  switch (fact.type) {
    case 'turn':
      return { type: 'turn', message: fact.answer.message };
    case 'started': {
      const { toolUse, original, digest } = fact;
      const edited = JSON.stringify(toolUse.input) !== JSON.stringify(original.input);
      return { type: 'started', toolUseId: toolUse.toolUseId, digest, ...(edited ? { input: toolUse.input } : {}) };
    }
    case 'paused': {
      const known = state.interrupts ?? [];
      return {
        type: 'asked',
        interrupts: fact.interrupts.filter((one) => !known.some((other) => isSame(one, other))),
        gone: known.map(({ id }) => id).filter((id) => !fact.interrupts.some((one) => one.id === id)),
        ...(fact.held === undefined || isSame(fact.held, state.held) ? {} : { held: fact.held }),
      };
    }
    case 'settled':
      return { type: 'settled', messages: isSame(fact.messages, state.held) ? 'held' : fact.messages };
    case 'ran': {
      const { result, reactions } = fact;
      const { name, input } = fact.toolUse;
      const request = requestOf(state, result.toolUseId);
      const same = isSame([name, input], [request?.name, request?.input]);
      return { type: 'ran', result, ...(same ? {} : { call: { name, input } }), ...reacted(reactions) };
    }
    case 'result': {
      const { toolUseId } = fact.result;
      const waited = isSame(fact.result, keptUnder(state.pending?.ran, toolUseId)?.result);
      return waited ? { type: 'let', toolUseId, ...reacted(fact.reactions) } : fact;
    }
    case 'message':
    case 'unstarted':
    case 'retried':
      return fact;
    default:
      return unreachable(fact);
  }
}

function answer(interrupts: readonly Interrupt[], answers: readonly SpentAnswer[]): readonly Interrupt[] {
  return interrupts.map((interrupt) => {
    const found = answers.find(({ interruptId }) => interruptId === interrupt.id);
    return found === undefined ? interrupt : { ...interrupt, response: found.response };
  });
}

function merge(
  known: readonly Interrupt[],
  { interrupts, gone }: SessionEntry & { readonly type: 'asked' },
): readonly Interrupt[] {
  const left = known.filter(({ id }) => !gone.includes(id) && !interrupts.some((one) => one.id === id));
  return [...left, ...interrupts];
}

function requestOf({ pending }: LoopState, toolUseId: string): ToolUseBlock | undefined {
  return pending === undefined ? undefined : toolUsesOf(pending.message).find((call) => call.toolUseId === toolUseId);
}

function reacted(reactions: readonly HandlerReaction[] = []) {
  return reactions.length === 0 ? {} : { reactions };
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function answerOf(message: Message) {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { message, stopReason: 'endTurn' as const, usage };
}
