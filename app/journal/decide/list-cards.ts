import { z } from 'zod';
import { ApprovalId } from '../../records/index.ts';
import type { AskedApproval, RunState } from '../fold/state.ts';
import { pendingApprovals } from './approvals.ts';
import { lastRetry, toolUseIdOf } from './calls.ts';
import type { Decided } from './decide.ts';

/**
 * When one answer of the model asks about many calls, they share list cards. Each keeps its own question and decision;
 * which rows a card has is written before it is posted, so that a press on all of them means those that were shown.
 */
export const LIST_CARD_ENTRIES = [
  z.object({
    type: z.literal('calls-listed'),
    list: ApprovalId,
    approvals: z.array(ApprovalId).readonly(),
  }),
] as const;

export interface ListWish {
  /** For as many cards as there may be. */
  readonly ids: readonly ApprovalId[];
  /** Up to so many have a card each. */
  readonly alone: number;
  readonly rowsPerCard: number;
}

/** Puts the open questions of the newest turn that nobody has begun to show onto list cards, all about equally long. */
export function decideLists(state: RunState, { ids, alone, rowsPerCard }: ListWish): Decided<'listed' | 'nothing'> {
  const rows = pendingApprovals(state)
    .filter((approval) => isOfNewestTurn(state, approval) && fitsARow(approval) && !isShown(state, approval))
    .sort((one, other) => placeInTurn(state, one) - placeInTurn(state, other));
  if (rows.length <= alone) return { entries: [], result: 'nothing' };
  const cards = Math.ceil(rows.length / rowsPerCard);
  const cut = (card: number) => Math.round((card * rows.length) / cards);
  return {
    entries: ids.slice(0, cards).map((list, card) => ({
      type: 'calls-listed',
      list,
      approvals: rows.slice(cut(card), cut(card + 1)).map(({ id }) => id),
    })),
    result: 'listed',
  };
}

/** In the order in which the model asked. */
export function rowsOf(state: RunState, list: ApprovalId): readonly AskedApproval[] {
  return [...state.approvals.values()]
    .filter((approval) => approval.list === list)
    .sort((one, other) => placeInTurn(state, one) - placeInTurn(state, other));
}

/** Everybody knows by now which calls of the newest turn are asked about. */
export function isTurnLookedAt(state: RunState): boolean {
  return callsOfTurn(state).every((call) => {
    const { approval, execution, answer } = state.calls.get(lastRetry(state.calls, call)) ?? NEW;
    return approval !== undefined || execution.type !== 'none' || answer !== undefined;
  });
}

const NEW = { approval: undefined, execution: { type: 'none' }, answer: undefined } as const;

export function callsOfTurn(state: RunState): readonly string[] {
  const newest = state.said.findLast((said) => said.type === 'turn');
  return newest?.type === 'turn' ? newest.calls : [];
}

/** What has much to say, or is not decided by a press on a card, has a card of its own. */
function fitsARow({ preview = '', was, wants, secondFactor }: AskedApproval): boolean {
  return preview.length <= ROW_PREVIEW_CHARS && [was, wants, secondFactor].every((more) => more === undefined);
}

const ROW_PREVIEW_CHARS = 200;

function isShown({ posting }: RunState, { id, card, list }: AskedApproval): boolean {
  return card !== undefined || list !== undefined || posting.has(`card/${id}`);
}

function isOfNewestTurn(state: RunState, { call }: AskedApproval): boolean {
  return call.startsWith(`${state.turns}/`);
}

function placeInTurn(state: RunState, { call }: AskedApproval): number {
  return callsOfTurn(state).indexOf(`${call.slice(0, call.indexOf('/'))}/${toolUseIdOf(state, call)}`);
}
