import type { ApprovalId, CardReceipt, DoubtAsked, DoubtChoice, UserId } from '../../records/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import type { AskedDoubt } from '../fold/asked.ts';
import { isSame, stoodAt } from '../fold/queries/lost-cards.ts';
import { doubtOf } from '../fold/queries/questions.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

export type DoubtAskResult =
  | { readonly type: 'asked'; readonly doubt: ApprovalId; readonly fresh: boolean }
  /** The run is over, or the call's outcome is known by now. */
  | { readonly type: 'nothing-to-ask' };

/** Asking twice about one call gives the same doubt. */
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
  /** Judged just now, by the rule of the call itself. */
  readonly right: { readonly type: 'allowed' } | { readonly type: 'refused'; readonly why: string };
  /** The pressed card. */
  readonly card: CardReceipt;
  readonly refusedKept: number;
}

export type ChoiceOutcome = 'recorded' | 'settled' | 'not-yours' | 'not-offered' | 'unknown';

/** The first choice stands. The caller adds what the model is told to the same append, as the next item. */
export function decideChoice(state: RunState, facts: ChoiceFacts): Decided<ChoiceOutcome> {
  const doubt = doubtOf(state, facts.doubt);
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

/** A copy of the card elsewhere chooses nothing. Until the receipt is stored, only the channel is compared. */
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

/** A key that no call has yet. The loop is needed because a model may choose an id that looks like such a key. */
function freeRetry({ calls }: RunState, call: string): string {
  let attempt = 2;
  while (calls.has(`${call}~${attempt}`)) attempt += 1;
  return `${call}~${attempt}`;
}
