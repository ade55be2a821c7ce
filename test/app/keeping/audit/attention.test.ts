import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody, EntryOf } from '../../../../app/journal/facts/entries.ts';
import { attentionLines, measureAttention } from '../../../../app/keeping/audit/attention.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import type { RunId } from '../../../../app/records/index.ts';
import type { Store } from '../../../../app/store/store.ts';
import { approvalId, asked, runId, THREAD, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

const clock = testClock(1_000_000);
let store: Store;
let ids = 0;
beforeEach(() => {
  store = createModelStore(clock);
});

/** Entries, each so many milliseconds after the one before. */
async function tell(run: RunId, ...story: readonly (readonly [afterMs: number, EntryBody])[]): Promise<void> {
  const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, run);
  await journal.commit(() => ({
    entries: [{ type: 'run-started', run, thread: THREAD, requester: user('ANN') }, turn(1, 'a', 'b')],
    result: undefined,
  }));
  for (const [afterMs, body] of story) {
    clock.advance(afterMs);
    await journal.refresh();
    await journal.commit(() => ({ entries: [body], result: undefined }));
  }
}

const question = (n: number, tool = 'deploy', call = '1/a'): EntryBody =>
  asked({ approval: approvalId(n), tool, call, expiresAtMs: 10_000_000 });
const shown = (n: number): EntryBody => ({
  type: 'card-posted',
  approval: approvalId(n),
  card: { channel: 'C1', ts: `${n}.0` },
});
const yes = (n: number): EntryBody => ({
  type: 'call-decided',
  approval: approvalId(n),
  verdict: 'approve',
  by: user('BEN'),
});
const no = (n: number): EntryBody => ({ ...yes(n), type: 'call-decided', verdict: 'deny' }) as EntryBody;
const end: EntryBody = { type: 'run-finished' };

describe('the report on questions to people (T10)', () => {
  it('lists each suggested rule once, and none from before the time that was asked for (MF-13)', async () => {
    const older = "{ name: 'deploy for U1', effect: 'allow', tool: 'deploy' }";
    const suggesting = (n: number, suggested: Partial<EntryOf<'call-asked'>>) =>
      asked({ approval: approvalId(n), tool: 'deploy', call: '1/a', ...suggested });
    await tell(runId(1), [0, suggesting(1, { suggestion: older })]);
    await tell(runId(2), [0, suggesting(2, { suggestion: older })]);
    await tell(runId(3), [0, suggesting(3, { approvedInARow: 5 })]);
    await tell(runId(4), [0, suggesting(4, { approvedInARow: 5 })]);

    const lines = attentionLines(await measureAttention(store));
    expect(lines.filter((line) => line.includes(older))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('Approved 5 times in a row'))).toHaveLength(1);
    expect((await measureAttention(store, clock.now() + 1)).suggestions).toEqual([]);
  });

  it('counts questions for each tool, with the answers and the time to each', async () => {
    await tell(runId(1), [0, question(1)], [0, shown(1)], [4_000, yes(1)], [0, end]);
    await tell(runId(2), [0, question(2)], [0, shown(2)], [8_000, no(2)], [0, end]);
    await tell(runId(3), [0, question(3, 'drop')], [0, { type: 'call-expired', approval: approvalId(3) }]);

    const report = await measureAttention(store);

    expect(report).toMatchObject({ cards: 3, finishedRuns: 2 });
    expect(report.tools).toMatchObject([
      { of: 'deploy', asked: 2, approved: 1, denied: 1, unanswered: 0, tasks: 2, decideMs: 4_000 },
      { of: 'drop', asked: 1, approved: 0, unanswered: 1, tasks: 0, decideMs: undefined },
    ]);
  });

  it('counts an answer in place of the tool as an answer, and not as an approval', async () => {
    const answer: EntryBody = {
      ...yes(2),
      type: 'call-decided',
      verdict: 'answer',
      answer: 'It is done.',
    } as EntryBody;
    await tell(runId(1), [0, question(1)], [4_000, yes(1)]);
    await tell(runId(2), [0, question(2)], [4_000, answer]);

    const report = await measureAttention(store);
    expect(report.tools).toMatchObject([{ of: 'deploy', asked: 2, approved: 1, answered: 1, decideMs: 4_000 }]);
    expect(attentionLines(report)[1]).toContain('50% approved (1 approved, 0 edited, 0 denied, 1 answered instead,');
  });

  it('measures the look at a question from the previous press of the same person at the earliest', async () => {
    await tell(
      runId(1),
      [0, question(1)],
      [0, question(2, 'deploy', '1/b')],
      [0, shown(1)],
      [0, shown(2)],
      [60_000, yes(1)],
      [500, yes(2)],
    );

    const [deploy] = (await measureAttention(store)).tools;

    expect(deploy).toMatchObject({ decideMs: 60_000, dwellMs: 500 });
  });

  it('counts questions for each rule that asked', async () => {
    const ruled: EntryBody = { ...question(1), ruledBy: { name: 'after hours' } } as EntryBody;
    await tell(runId(1), [0, ruled], [1_000, yes(1)]);

    expect((await measureAttention(store)).rules).toMatchObject([{ of: 'after hours', asked: 1, approved: 1 }]);
  });

  it('leaves out questions from before the given time', async () => {
    await tell(runId(1), [0, question(1)], [0, yes(1)], [0, end]);
    const since = clock.now() + 1;
    clock.advance(10);

    expect(await measureAttention(store, since)).toMatchObject({ cards: 0, finishedRuns: 0 });
  });

  it('is written in whole sentences', async () => {
    await tell(runId(1), [0, question(1)], [0, shown(1)], [4_000, yes(1)], [0, end]);

    expect(attentionLines(await measureAttention(store))).toEqual([
      '1 card and 1 finished run, 1.0 for each finished run.',
      'tool deploy: asked 1 time in 1 finished run, 100% approved (1 approved, 0 edited, 0 denied, 0 answered instead, 0 unanswered); answered after 4.0 s, looked at for at most 4.0 s.',
    ]);
  });
});
