import type { CardReceipt } from '../../../records/index.ts';
import type { AskedApproval } from '../asked.ts';
import type { RunState } from '../state.ts';

/**
 * Whether the words of the answer that asked for this call stand above its card, with nothing between but cards of the same
 * answer. Before the card is posted, everything that is posted counts as above it.
 */
export function isSaidAbove(state: RunState, { call, card }: Pick<AskedApproval, 'call' | 'card'>): boolean {
  const turn = call.slice(0, call.indexOf('/'));
  const words = state.posted.get(`turn/${turn}`);
  if (words === undefined) return false;
  const others = [...state.approvals.values()].filter((other) => !other.call.startsWith(`${turn}/`));
  const between = [
    ...state.posted.values(),
    ...others.flatMap(placeOf),
    ...[...state.questions.values()].flatMap(placeOf),
  ];
  const isBetween = (ts: string): boolean => isLater(ts, words.ts) && (card === undefined || isLater(card.ts, ts));
  return !between.some(({ ts }) => isBetween(ts)) && ![...state.heard].some((key) => isBetween(timeIn(key)));
}

const placeOf = ({ card }: { readonly card?: CardReceipt }): readonly CardReceipt[] =>
  card === undefined ? [] : [card];

/** The key of a message in the inbox ends with its timestamp. */
const timeIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** Timestamps of Slack have the same number of digits. */
function isLater(ts: string, than: string): boolean {
  return Number(ts) > Number(than);
}
