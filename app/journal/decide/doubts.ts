import { z } from 'zod';
import {
  ApprovalId,
  CardReceipt,
  DecisionRule,
  type DoubtChoice,
  type DoubtStanding,
  UserId,
} from '../../records/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import { TextRef } from '../facts/text-ref.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decide.ts';
import { isSame, stoodAt } from './lost-cards.ts';

/**
 * A call that was started, and nobody knows whether it finished. It may have had its effect, so a person says what is to
 * become of it: it happened, it is left alone, or it is asked for once more, as a call of its own.
 */

const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

const Choice = z.enum(['happened', 'skip', 'retry']);

export const DOUBT_ENTRIES = [
  entry('doubt-asked', {
    doubt: ApprovalId,
    call: z.string(),
    tool: z.string(),
    summary: z.string(),
    /** What may have run, as people see it; absent where an approval of the call says it. */
    input: TextRef.optional(),
    digest: z.string(),
    effect: z.enum(['asked', 'guarded']),
    /** Who could decide about the call decides about this. */
    rule: DecisionRule,
    expiresAtMs: z.number().int(),
  }),
  entry('doubt-posted', { doubt: ApprovalId, card: CardReceipt }),
  /** The card shows how it ended; that is the only debt it has. */
  entry('doubt-painted', { doubt: ApprovalId }),
  entry('doubt-refused', { doubt: ApprovalId, by: UserId, choice: Choice, why: z.string() }),
  entry('doubt-settled', {
    doubt: ApprovalId,
    /** `finished`: its process was only slow, and has said so itself. */
    how: z.enum([...Choice.options, 'finished', 'expired', 'withdrawn']),
    by: UserId.optional(),
    /** What came of it, in the person's words. */
    said: z.string().optional(),
    /** The call that stands in its place from here on. */
    retry: z.string().optional(),
  }),
] as const;
export type DoubtEntry = z.infer<(typeof DOUBT_ENTRIES)[number]>;
type DoubtAsked = Extract<DoubtEntry, { readonly type: 'doubt-asked' }>;
type DoubtSettled = Extract<DoubtEntry, { readonly type: 'doubt-settled' }>;

export type AskedDoubt = Omit<DoubtAsked, 'type' | 'doubt'> & {
  readonly id: ApprovalId;
  readonly askedAtMs: number;
  readonly card?: CardReceipt;
  /** As of an approval. */
  readonly lostCards?: readonly CardReceipt[];
  readonly painted: boolean;
  readonly refusedChoices: number;
  readonly standing: DoubtStanding;
};

export type DoubtAskResult =
  | { readonly type: 'asked'; readonly doubt: ApprovalId; readonly fresh: boolean }
  /** The run is over, or it is known by now how the call came out. */
  | { readonly type: 'nothing-to-ask' };

/** Asking twice about one call is the same doubt. */
export function decideDoubt(state: RunState, ask: Omit<DoubtAsked, 'type'>): Decided<DoubtAskResult> {
  const call = state.calls.get(ask.call);
  if (call?.doubt !== undefined) return { entries: [], result: { type: 'asked', doubt: call.doubt, fresh: false } };
  const open = state.status.type === 'running' && call?.execution.type === 'unknown' && call.answer === undefined;
  if (!open) return { entries: [], result: { type: 'nothing-to-ask' } };
  return { entries: [{ type: 'doubt-asked', ...ask }], result: { type: 'asked', doubt: ask.doubt, fresh: true } };
}

export interface ChoiceFacts {
  readonly doubt: ApprovalId;
  readonly choice: DoubtChoice;
  readonly by: UserId;
  readonly said?: string;
  /** Worked out just now, by the rule that the call itself is decided by. */
  readonly right: { readonly type: 'allowed' } | { readonly type: 'refused'; readonly why: string };
  /** Where the pressed card stands. */
  readonly card: CardReceipt;
  readonly refusedKept: number;
}

export type ChoiceOutcome = 'recorded' | 'settled' | 'not-yours' | 'not-offered' | 'unknown';

/** The first choice stands. What the model is told goes into the same append, as the next item. */
export function decideChoice(state: RunState, facts: ChoiceFacts): Decided<ChoiceOutcome> {
  const doubt = state.doubts.get(facts.doubt);
  if (doubt === undefined) return { entries: [], result: 'unknown' };
  if (doubt.standing.status !== 'pending') return refused(doubt, facts, 'settled', 'settled before');
  if (facts.right.type === 'refused') return refused(doubt, facts, 'not-yours', facts.right.why);
  if (!standsThere(doubt, state, facts.card)) {
    return refused(doubt, facts, 'not-offered', 'another card than the one that was posted');
  }
  const { choice, by, said } = facts;
  const settled = { type: 'doubt-settled', doubt: doubt.id, by } as const;
  const entries: readonly EntryBody[] =
    choice === 'retry'
      ? [{ ...settled, how: choice, retry: freeRetry(state, doubt.call) }]
      : [
          { ...settled, how: choice, ...(said === undefined || choice !== 'happened' ? {} : { said }) },
          { type: 'call-answered', call: doubt.call, item: state.items },
        ];
  return { entries, result: 'recorded', notAfterMs: doubt.expiresAtMs };
}

/** The same card elsewhere chooses nothing. Before the receipt is stored, the thread's channel has to do. */
function standsThere(doubt: AskedDoubt, { thread }: RunState, pressed: CardReceipt): boolean {
  if (stoodAt(doubt, pressed)) return true;
  if (doubt.card === undefined) return pressed.channel === thread.channel;
  return isSame(doubt.card, pressed);
}

function refused(
  doubt: AskedDoubt,
  { by, choice, refusedKept }: ChoiceFacts,
  result: ChoiceOutcome,
  why: string,
): Decided<ChoiceOutcome> {
  if (doubt.refusedChoices >= refusedKept) return { entries: [], result };
  return { entries: [{ type: 'doubt-refused', doubt: doubt.id, by, choice, why }], result };
}

/** A name that no call has: a model may choose any id, also one that looks like ours. */
function freeRetry({ calls }: RunState, call: string): string {
  let attempt = 2;
  while (calls.has(`${call}~${attempt}`)) attempt += 1;
  return `${call}~${attempt}`;
}

export function decideDoubtExpiry(
  state: RunState,
  id: ApprovalId,
  nowMs: number,
): Decided<'expired' | 'not-yet' | 'settled'> {
  const doubt = state.doubts.get(id);
  if (doubt?.standing.status !== 'pending') return { entries: [], result: 'settled' };
  if (nowMs < doubt.expiresAtMs) return { entries: [], result: 'not-yet' };
  return { entries: unanswered(state, doubt, 'expired'), result: 'expired' };
}

/** A question that nobody can see is taken back, and the model hears what is known. */
export function decideUnasked(state: RunState, id: ApprovalId): Decided<'withdrawn' | 'settled'> {
  const doubt = state.doubts.get(id);
  if (doubt?.standing.status !== 'pending') return { entries: [], result: 'settled' };
  return { entries: unanswered(state, doubt, 'withdrawn'), result: 'withdrawn' };
}

/** What the model is told goes into the same append, as the next item. */
function unanswered(state: RunState, { id, call }: AskedDoubt, how: 'expired' | 'withdrawn'): readonly EntryBody[] {
  return [
    { type: 'doubt-settled', doubt: id, how },
    { type: 'call-answered', call, item: state.items },
  ];
}

/** What must be written when nobody needs to say any more what became of these. */
export function settledWithout(
  state: RunState,
  how: 'finished' | 'withdrawn',
  isOver: (doubt: AskedDoubt) => boolean,
): readonly DoubtSettled[] {
  return pendingDoubts(state)
    .filter(isOver)
    .map(({ id }) => ({ type: 'doubt-settled', doubt: id, how }));
}

export function standingOf({ how, by, said, atMs }: DoubtSettled & { readonly atMs: number }): DoubtStanding {
  switch (how) {
    case 'finished':
    case 'expired':
    case 'withdrawn':
      return { status: how };
    default:
      return by === undefined
        ? { status: 'withdrawn' }
        : { status: how, by, atMs, ...(said === undefined ? {} : { said }) };
  }
}

/** A person has said what became of this call, so nothing that comes later may say otherwise. */
export function isChosen(state: RunState, call: string): boolean {
  const id = state.calls.get(call)?.doubt;
  const standing = id === undefined ? undefined : state.doubts.get(id)?.standing;
  return standing !== undefined && 'by' in standing;
}

export function settledDoubt(state: RunState, id: ApprovalId): AskedDoubt | undefined {
  const doubt = state.doubts.get(id);
  return doubt?.standing.status === 'pending' ? undefined : doubt;
}

export function pendingDoubts(state: RunState): readonly AskedDoubt[] {
  return [...state.doubts.values()].filter(({ standing }) => standing.status === 'pending');
}

/** Cards that may still show buttons nobody should press; no receipt is not no card. */
export function owedDoubts(state: RunState): readonly AskedDoubt[] {
  if (state.unheard) return [];
  return [...state.doubts.values()].filter(({ painted, standing }) => standing.status !== 'pending' && !painted);
}
