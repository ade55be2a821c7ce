import { describe, expect, it } from 'vitest';
import { decidePress } from '../../../app/journal/decide.ts';
import { decideChoice } from '../../../app/journal/doubts.ts';
import type { EntryBody } from '../../../app/journal/entries.ts';
import { decideCardLost } from '../../../app/journal/lost-cards.ts';
import type { RunState } from '../../../app/journal/state.ts';
import type { CardReceipt } from '../../../app/records.ts';
import {
  approvalId,
  asked,
  fold,
  foldOnto,
  HOUR_MS,
  OWN_RULE,
  pressed,
  started,
  turn,
  user,
} from '../../support/journal.ts';

const CARD: CardReceipt = { channel: 'C1', ts: '2.0' };
const NEXT: CardReceipt = { channel: 'C1', ts: '3.0' };
const begin: EntryBody = {
  type: 'call-started',
  call: '1/b',
  attempt: 't1',
  tool: 'deploy',
  digest: 'd1',
  grant: { type: 'open' },
};
const before = [started, turn(1, 'a', 'b'), begin] as const;

const KINDS = [
  {
    what: 'an approval',
    open: fold(...before, asked()),
    post: (card: CardReceipt): EntryBody => ({ type: 'card-posted', approval: approvalId(), card }),
    intent: `card/${approvalId()}`,
    settled: { type: 'call-expired', approval: approvalId() } as EntryBody,
    placed: (state: RunState) => state.approvals.get(approvalId()),
  },
  {
    what: 'the question what became of a call',
    open: fold(
      ...before,
      { type: 'call-unknown', call: '1/b', attempt: 't1' },
      {
        type: 'doubt-asked',
        doubt: approvalId(),
        call: '1/b',
        tool: 'deploy',
        summary: 'Deploy.',
        digest: 'd1',
        effect: 'asked',
        rule: OWN_RULE,
        expiresAtMs: HOUR_MS,
      },
    ),
    post: (card: CardReceipt): EntryBody => ({ type: 'doubt-posted', doubt: approvalId(), card }),
    intent: `doubt/${approvalId()}`,
    settled: { type: 'doubt-settled', doubt: approvalId(), how: 'expired' } as EntryBody,
    placed: (state: RunState) => state.doubts.get(approvalId()),
  },
  {
    what: 'a question of a tool server',
    open: fold(...before, {
      type: 'inquiry-asked',
      inquiry: approvalId(),
      call: '1/b',
      server: 'notes',
      tool: 'notes__ask',
      message: 'Which branch?',
      schema: '{}',
      expiresAtMs: HOUR_MS,
    }),
    post: (card: CardReceipt): EntryBody => ({ type: 'inquiry-posted', inquiry: approvalId(), card }),
    intent: `inquiry/${approvalId()}`,
    settled: { type: 'inquiry-settled', inquiry: approvalId(), how: 'expired' } as EntryBody,
    placed: (state: RunState) => state.inquiries.get(approvalId()),
  },
];

describe.each(KINDS)('$what whose card was deleted', ({ open, post, intent, settled, placed }) => {
  const begun: EntryBody = { type: 'post-begun', key: intent, by: 'one' };
  const posted = foldOnto(open, begun, post(CARD));
  const decided = decideCardLost(posted, CARD);
  const lost = foldOnto(posted, ...decided.entries);

  it('B9 is to be shown again, by whoever begins to post it first', () => {
    expect(decided).toEqual({
      entries: [{ type: 'card-lost', approval: approvalId(), card: CARD }],
      result: [approvalId()],
    });
    expect(placed(lost)).toMatchObject({ lostCards: [CARD] });
    expect(placed(lost)).not.toHaveProperty('card');
    expect(lost.posting.has(intent)).toBe(false);
  });

  it('B9 is written once, and still to be shown when that is told again before anybody has posted it', () => {
    expect(decideCardLost(lost, CARD)).toEqual({ entries: [], result: [approvalId()] });
  });

  it('B9 is left alone where its next card stands', () => {
    const again = foldOnto(lost, post(NEXT));
    expect(decideCardLost(again, CARD)).toEqual({ entries: [], result: [] });
    expect(decideCardLost(again, NEXT).result).toEqual([approvalId()]);
  });

  it('B9 is not shown again when it is settled, when the run is over, or when another message was deleted', () => {
    expect(decideCardLost(foldOnto(posted, settled), CARD)).toEqual({ entries: [], result: [] });
    expect(decideCardLost(foldOnto(lost, settled), CARD)).toEqual({ entries: [], result: [] });
    expect(decideCardLost(foldOnto(posted, { type: 'run-stopped', cause: 'x' }), CARD).result).toEqual([]);
    expect(decideCardLost(posted, NEXT).result).toEqual([]);
  });
});

describe('a press that was made on a card before it was deleted', () => {
  it('B9 counts for an approval and for a doubt, and one on a copy elsewhere does not', () => {
    const [approval, doubt] = KINDS.map(({ open, post }) =>
      foldOnto(open, post(CARD), { type: 'card-lost', approval: approvalId(), card: CARD }, post(NEXT)),
    );
    const choice = (card: CardReceipt) =>
      decideChoice(doubt as RunState, {
        doubt: approvalId(),
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
