import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { silentLog } from '../../../app/log.ts';
import { openRunJournal, type RunJournal } from '../../../app/recorder/run-journal.ts';
import type { Card } from '../../../app/records/index.ts';
import { postList, postOwnCard, postQuestionCard } from '../../../app/runs/asking/posting-cards.ts';
import { approvalId, asked, runId, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { QUESTIONS } from '../../support/questions.ts';

const LIST = approvalId(9);
const posted: string[] = [];
const post = async ({ asks: { id } }: Card) => {
  posted.push(id);
  return { channel: 'C1', ts: '3.0' };
};
const surface = { postCard: post, takeBack: async () => {}, status: async () => {} };
const deps = {
  surface,
  waiting: { look: async () => {} },
  by: 'poster',
  step: () => {},
  log: silentLog,
};
const denied = (approval: ReturnType<typeof approvalId>): EntryBody => ({
  type: 'call-decided',
  approval,
  verdict: 'deny',
  by: user('ANN'),
});

it.each<[string, readonly EntryBody[], readonly EntryBody[], (journal: RunJournal) => Promise<unknown>]>([
  ['an approval', [], [denied(approvalId(1))], (journal) => postOwnCard(deps, journal, approvalId(1))],
  [
    'what became of a call',
    [],
    [{ type: 'doubt-settled', doubt: approvalId(2), how: 'finished' }],
    (journal) => postQuestionCard(deps, journal, approvalId(2)),
  ],
  [
    'a question of a tool server',
    [],
    [{ type: 'inquiry-settled', inquiry: approvalId(3), how: 'withdrawn' }],
    (journal) => postQuestionCard(deps, journal, approvalId(3)),
  ],
  [
    'several approvals on one card',
    [
      asked({ approval: approvalId(4), call: '1/d' }),
      { type: 'calls-listed', list: LIST, approvals: [approvalId(1), approvalId(4)] },
    ],
    [denied(approvalId(1)), denied(approvalId(4))],
    (journal) => postList(deps, journal, LIST),
  ],
])(
  'asks no person about %s that is settled while a process is about to post its card (D7)',
  async (_what, more, settled, ask) => {
    posted.length = 0;
    const store = createModelStore(testClock(1_000));
    let ids = 0;
    const open = async () => {
      const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: () => 1_000 }, runId());
      await journal.refresh();
      return journal;
    };
    const entries = [...QUESTIONS, ...more];
    await (await open()).commit(() => ({ entries, items: ['{}'], result: undefined }));
    const poster = await open();
    await (await open()).commit(() => ({ entries: settled, result: undefined }));

    await ask(poster);

    expect(posted).toEqual([]);
  },
);

it('shows that a person is needed after the question of a tool server is posted in the thread, and not before', async () => {
  const store = createModelStore(testClock(1_000));
  let ids = 0;
  const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: () => 1_000 }, runId());
  await journal.commit(() => ({ entries: QUESTIONS, items: ['{}'], result: undefined }));
  const shown: string[] = [];
  const status = async (_thread: unknown, what: string) => void shown.push(what);
  const refuses = () => Promise.reject(new Error('invalid_blocks'));

  await postQuestionCard({ ...deps, surface: { ...surface, status } }, journal, approvalId(3));
  expect(shown).toEqual(['suspended']);
  await postQuestionCard({ ...deps, surface: { ...surface, status } }, journal, approvalId(2));
  expect(shown).toEqual(['suspended']);
  await journal.commit(() => ({
    entries: [{ type: 'inquiry-settled', inquiry: approvalId(3), how: 'withdrawn' }],
    result: undefined,
  }));
  await postQuestionCard({ ...deps, surface: { ...surface, status, postCard: refuses } }, journal, approvalId(3));

  expect(shown).toEqual(['suspended']);
});

it('posts no list card without rows, and reports this as a fault of the bot', async () => {
  const store = createModelStore(testClock(1_000));
  const journal = openRunJournal({ store, entryId: () => 'id', elapsed: () => 1_000 }, runId());
  await journal.refresh();

  await expect(postList(deps, journal, LIST)).rejects.toThrow('has no rows. This is a fault of the bot');
});

const ELSEWHERE = { channel: 'C1', ts: '9.0' };

it.each<[string, readonly EntryBody[], EntryBody, (more: object, journal: RunJournal) => Promise<unknown>]>([
  [
    'an approval',
    [],
    { type: 'card-posted', approval: approvalId(1), card: ELSEWHERE },
    (more, journal) => postOwnCard({ ...deps, ...more }, journal, approvalId(1)),
  ],
  [
    'what became of a call',
    [],
    { type: 'doubt-posted', doubt: approvalId(2), card: ELSEWHERE },
    (more, journal) => postQuestionCard({ ...deps, ...more }, journal, approvalId(2)),
  ],
  [
    'several approvals on one card',
    [
      asked({ approval: approvalId(4), call: '1/d' }),
      { type: 'calls-listed', list: LIST, approvals: [approvalId(1), approvalId(4)] },
    ],
    { type: 'card-posted', approval: approvalId(1), card: ELSEWHERE },
    (more, journal) => postList({ ...deps, ...more }, journal, LIST),
  ],
])(
  'removes a second card of %s when another process has recorded where it posted the first one (D7)',
  async (_what, more, posting, ask) => {
    const store = createModelStore(testClock(1_000));
    let ids = 0;
    const open = () => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: () => 1_000 }, runId());
    const [journal, other] = [open(), open()];
    await journal.commit(() => ({ entries: [...QUESTIONS, ...more], items: ['{}'], result: undefined }));
    const taken: string[] = [];
    const postCard = async () => {
      await other.refresh();
      await other.commit(() => ({ entries: [posting], result: undefined }));
      return { channel: 'C1', ts: '3.0' };
    };
    const takeBack = async (_thread: unknown, { ts }: { readonly ts: string }) => void taken.push(ts);

    await ask({ surface: { ...surface, postCard, takeBack } }, journal);

    expect(taken).toEqual(['3.0']);
  },
);
