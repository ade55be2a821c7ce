import { describe, expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import type { Card, CardReceipt } from '../../../../app/records/index.ts';
import { showAgain } from '../../../../app/runs/asking/showing-again.ts';
import { approvalId, runId } from '../../../support/journal.ts';
import { keptLog } from '../../../support/kept-log.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { QUESTIONS } from '../../../support/questions.ts';

const CARD: CardReceipt = { channel: 'C1', ts: '2.0' };
const KINDS = [
  ['an approval', approvalId(1), { type: 'card-posted', approval: approvalId(1), card: CARD }],
  ['the question what became of a call', approvalId(2), { type: 'doubt-posted', doubt: approvalId(2), card: CARD }],
  ['a question of a tool server', approvalId(3), { type: 'inquiry-posted', inquiry: approvalId(3), card: CARD }],
] as const satisfies readonly (readonly [string, ReturnType<typeof approvalId>, EntryBody])[];

/** A thread that counts what is posted there, and processes that hear that a card was deleted. */
async function thread(...more: readonly EntryBody[]) {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  const posted: string[] = [];
  const { log, lines } = keptLog();
  let ids = 0;
  const post = async ({ asks: { id } }: Card) => {
    posted.push(id);
    return { channel: 'C1', ts: `${posted.length + 2}.0` };
  };
  const process = async (by: string) => {
    const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
    if ((await journal.refresh()) === undefined) {
      await journal.commit(() => ({ entries: [...QUESTIONS, ...more], items: ['{}'], result: undefined }));
    }
    const surface = {
      takeBack: async () => {},
      postCard: post,
      status: async () => {},
    };
    const deps = {
      surface,
      waiting: { look: async () => {} },
      cards: { settle: async () => 'paid' as const },
      by,
      step: () => {},
      log,
    };
    const tell = async (approval: ReturnType<typeof approvalId>) => {
      await journal.refresh();
      await showAgain(deps, journal, { approval, card: CARD });
    };
    return { journal, tell };
  };
  return { posted, lines, process };
}

describe.each(KINDS)('%s whose card was deleted', (_what, id, receipt) => {
  it('is shown again once, even when two processes hear of it at the same instant (B9)', async () => {
    const { posted, lines, process } = await thread(receipt);
    const [one, other] = [await process('one'), await process('other')];

    await Promise.all([one.tell(id), other.tell(id)]);
    const before = lines.length;
    await one.tell(id);

    expect(posted).toEqual([id]);
    expect(lines).toHaveLength(before);
  });

  it('is not shown again before its place is recorded, when Slack sends the event again (B9)', async () => {
    const { posted, process } = await thread();
    const one = await process('one');

    await expect(one.tell(id)).rejects.toThrow('Slack delivers the deletion again');
    expect(posted).toEqual([]);
    await one.journal.commit(() => ({ entries: [receipt], result: undefined }));
    await one.tell(id);
    expect(posted).toEqual([id]);
  });
});
