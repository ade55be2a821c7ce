import { expect, it } from 'vitest';
import type { EntryBody } from '../../../../../app/journal/facts/entries.ts';
import { isSaidAbove } from '../../../../../app/journal/fold/queries/said-above.ts';
import { approvalId, asked, fold, started, turn, user } from '../../../../support/journal.ts';

const at = (second: number) => ({ channel: 'C0OPS00001', ts: `170000000${second}.000100` });
const posted = (key: string, second: number): EntryBody => ({ type: 'posted', key, card: at(second) });
const shown = (second: number, approval = approvalId(1)): EntryBody => ({
  type: 'card-posted',
  approval,
  card: at(second),
});
const wrote = (second: number): EntryBody => ({
  type: 'person-said',
  key: `m/x/${at(second).ts}`,
  user: user('ANN'),
  item: 0,
});

function above(...entries: readonly EntryBody[]): boolean {
  const state = fold(started, turn(1, 'a', 'b'), ...entries);
  const approval = state.approvals.get(approvalId(1));
  return approval !== undefined && isSaidAbove(state, approval);
}

it('the words of an answer stand above its card while nothing but cards of the same answer is between (SURF-1)', () => {
  expect(above(posted('turn/1', 1), asked())).toBe(true);
  expect(above(posted('turn/1', 1), asked(), shown(2))).toBe(true);
  const other = asked({ approval: approvalId(2), call: '1/b' });
  expect(above(posted('turn/1', 1), asked(), other, shown(2, approvalId(2)), shown(3))).toBe(true);
  expect(above(posted('turn/1', 1), asked(), shown(2), posted('line/x', 3), wrote(4))).toBe(true);
});

it('the words of an answer do not count as above its card when they were not said, or something is between (SURF-1)', () => {
  expect(above(asked(), shown(2))).toBe(false);
  expect(above(posted('turn/1', 1), asked(), posted('line/x', 2), shown(3))).toBe(false);
  expect(above(posted('turn/1', 1), asked(), wrote(2), shown(3))).toBe(false);
  expect(above(posted('turn/1', 1), asked(), wrote(2))).toBe(false);
});
