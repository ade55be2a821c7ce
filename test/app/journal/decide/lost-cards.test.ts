import { describe, expect, it } from 'vitest';
import { decidePress } from '../../../../app/journal/decide/decide.ts';
import { decideChoice } from '../../../../app/journal/decide/doubts.ts';
import { decideCardLost } from '../../../../app/journal/decide/questions.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import type { RunState } from '../../../../app/journal/fold/state.ts';
import type { CardReceipt } from '../../../../app/records/index.ts';
import { approvalId, fold, foldOnto, pressed, user } from '../../../support/journal.ts';
import { QUESTIONS } from '../../../support/questions.ts';

const CARD: CardReceipt = { channel: 'C1', ts: '2.0' };
const NEXT: CardReceipt = { channel: 'C1', ts: '3.0' };

const KINDS = [
  {
    what: 'an approval',
    id: approvalId(1),
    post: (card: CardReceipt): EntryBody => ({ type: 'card-posted', approval: approvalId(1), card }),
    intent: `card/${approvalId(1)}`,
    settled: { type: 'call-expired', approval: approvalId(1) } as EntryBody,
    placed: (state: RunState) => state.approvals.get(approvalId(1)),
  },
  {
    what: 'the question what became of a call',
    id: approvalId(2),
    post: (card: CardReceipt): EntryBody => ({ type: 'doubt-posted', doubt: approvalId(2), card }),
    intent: `doubt/${approvalId(2)}`,
    settled: { type: 'doubt-settled', doubt: approvalId(2), how: 'expired' } as EntryBody,
    placed: (state: RunState) => state.questions.get(approvalId(2)),
  },
  {
    what: 'a question of a tool server',
    id: approvalId(3),
    post: (card: CardReceipt): EntryBody => ({ type: 'inquiry-posted', inquiry: approvalId(3), card }),
    intent: `inquiry/${approvalId(3)}`,
    settled: { type: 'inquiry-settled', inquiry: approvalId(3), how: 'expired' } as EntryBody,
    placed: (state: RunState) => state.questions.get(approvalId(3)),
  },
];

describe.each(KINDS)('$what whose card was deleted', ({ id, post, intent, settled, placed }) => {
  const begun: EntryBody = { type: 'post-begun', key: intent, by: 'one' };
  const posted = fold(...QUESTIONS, begun, post(CARD));
  const decided = decideCardLost(posted, CARD);
  const lost = foldOnto(posted, ...decided.entries);

  it('is shown again by the first process that begins to post it (B9)', () => {
    expect(decided).toEqual({
      entries: [{ type: 'card-lost', approval: id, card: CARD }],
      result: [id],
    });
    expect(placed(lost)).toMatchObject({ lostCards: [CARD] });
    expect(placed(lost)).not.toHaveProperty('card');
    expect(lost.posting.has(intent)).toBe(false);
  });

  it('is recorded once, and still has to be shown when a second report of it comes before any post (B9)', () => {
    expect(decideCardLost(lost, CARD)).toEqual({ entries: [], result: [id] });
  });

  it('is left alone when its next card is posted (B9)', () => {
    const again = foldOnto(lost, post(NEXT));
    expect(decideCardLost(again, CARD)).toEqual({ entries: [], result: [] });
    expect(decideCardLost(again, NEXT).result).toEqual([id]);
  });

  it('is not shown again when it is settled, when the run is over, or when another message was deleted (B9)', () => {
    expect(decideCardLost(foldOnto(posted, settled), CARD)).toEqual({ entries: [], result: [] });
    expect(decideCardLost(foldOnto(lost, settled), CARD)).toEqual({ entries: [], result: [] });
    expect(decideCardLost(foldOnto(posted, { type: 'run-stopped', cause: 'x' }), CARD).result).toEqual([]);
    expect(decideCardLost(posted, NEXT).result).toEqual([]);
  });
});

describe('a press that was made on a card before it was deleted', () => {
  it('counts for an approval and for a lost call, and a press on a copy elsewhere does not (B9)', () => {
    const [approval, doubt] = KINDS.map(({ id, post }) =>
      fold(...QUESTIONS, post(CARD), { type: 'card-lost', approval: id, card: CARD }, post(NEXT)),
    );
    const choice = (card: CardReceipt) =>
      decideChoice(doubt as RunState, {
        doubt: approvalId(2),
        choice: 'skip',
        by: user('ANN'),
        right: { type: 'allowed' },
        card,
        refusedKept: 3,
      }).result;
    const press = (card: CardReceipt) => decidePress(approval as RunState, pressed({ card })).result;

    expect([CARD, NEXT, { channel: 'C1', ts: '9.9' }].map(press)).toEqual(['decided', 'decided', 'not-offered']);
    expect([CARD, NEXT, { channel: 'C1', ts: '9.9' }].map(choice)).toEqual(['recorded', 'recorded', 'not-offered']);
  });
});
