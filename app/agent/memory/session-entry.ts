import type {
  HandlerReaction,
  Interrupt,
  Json,
  Message,
  Spent,
  ToolResultBlock,
} from '../../../interventions/index.ts';
import { unreachable } from '../../../interventions/index.ts';
import type { LoopFact } from '../ports.ts';
import { applyFact, type LoopState } from '../transcript.ts';
import { applyReduction, type ReducedPart } from './reduction.ts';

/** What an agent keeps between invocations. Data only. */
export interface Remembered {
  readonly state: LoopState;
  readonly appState: Readonly<Record<string, Json>>;
  /** Answers that were used up, so that a late repetition is recognised. */
  readonly spent: readonly Spent[];
}

/** One thing that happened, as it is stored. None says again what an earlier one has said. */
export type SessionEntry =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'turn'; readonly message: Message }
  /** `input` only when it is not the one the model gave. */
  | { readonly type: 'started'; readonly toolUseId: string; readonly digest: string; readonly input?: Json }
  | { readonly type: 'unstarted'; readonly toolUseId: string }
  | { readonly type: 'retried'; readonly toolUseId: string; readonly attempt: number }
  | {
      readonly type: 'result';
      readonly result: ToolResultBlock;
      readonly executed: boolean;
      readonly reactions?: readonly HandlerReaction[];
    }
  /** Questions that are new or have changed, and the ids of those that are gone. */
  | { readonly type: 'asked'; readonly interrupts: readonly Interrupt[]; readonly gone: readonly string[] }
  | { readonly type: 'answered'; readonly answers: readonly Spent[] }
  /** The last answer of the model was given up before anything came of it. */
  | { readonly type: 'dropped' }
  | { readonly type: 'reduced'; readonly parts: readonly ReducedPart[] }
  /** Without a value: deleted. */
  | { readonly type: 'kept'; readonly key: string; readonly value?: Json };

export const NOTHING_REMEMBERED: Remembered = { state: { messages: [] }, appState: {}, spent: [] };

const SPENT_KEPT = 200;

/** What an entry makes of what is remembered. Pure. */
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
    case 'asked':
      return { ...remembered, state: { ...state, interrupts: merge(state.interrupts ?? [], entry) } };
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
    case 'message':
    case 'unstarted':
    case 'retried':
    case 'result':
      return { ...remembered, state: applyFact(state, entry) };
    default:
      return unreachable(entry);
  }
}

/** A fact of the loop, as it is stored after what is remembered. */
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
      };
    }
    case 'message':
    case 'unstarted':
    case 'retried':
    case 'result':
      return fact;
    default:
      return unreachable(fact);
  }
}

function answer(interrupts: readonly Interrupt[], answers: readonly Spent[]): readonly Interrupt[] {
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

function isSame(one: Interrupt, other: Interrupt): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function answerOf(message: Message) {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { message, stopReason: 'endTurn' as const, usage };
}
