import type { ApprovalId } from '../../records/index.ts';
import type { AskedApproval } from '../fold/asked.ts';
import { pendingApprovals } from '../fold/queries/approvals.ts';
import { placeInTurn } from '../fold/queries/list-cards.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

export interface ListWish {
  /** One id for each card that may be needed. */
  readonly ids: readonly ApprovalId[];
  /** Up to this many questions get a card each, and no list. */
  readonly alone: number;
  readonly rowsPerCard: number;
}

/** Puts the open questions of the newest turn that are not being shown yet onto list cards of about equal length. */
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

/** A question with much text, or that a press on a row cannot decide, gets its own card. */
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
