import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { owedPaintings } from '../../../app/journal/index.ts';
import { silentLog } from '../../../app/log.ts';
import { createCards } from '../../../app/questions/cards.ts';
import { paintAtOnce } from '../../../app/questions/one-painter.ts';
import { createApprovalPaintings } from '../../../app/questions/paintings.ts';
import { createWaiting } from '../../../app/questions/waiting.ts';
import { openRunJournal, type RunJournal } from '../../../app/recorder/run-journal.ts';
import type { Card } from '../../../app/records/index.ts';
import { approvalId, asked, runId, started, turn, user } from '../../support/journal.ts';
import { keptLog } from '../../support/kept-log.ts';
import { createModelStore } from '../../support/model-store.ts';

const ID = approvalId();
const ASKED: readonly EntryBody[] = [
  started,
  turn(1, 'a'),
  asked(),
  { type: 'card-posted', approval: ID, card: { channel: 'C1', ts: '2.0' } },
  { type: 'yes-counted', approval: ID, by: user('BEN') },
];
/** No claim keeps two processes from painting the same. */
const PLAIN = { byOne: paintAtOnce, paintsAlone: false, step: () => {} };
const LIST = approvalId(9);
const listed: EntryBody = { type: 'calls-listed', list: LIST, approvals: [ID] };
const denied: EntryBody = { type: 'call-decided', approval: ID, verdict: 'deny', by: user('ANN') };

/** One card in Slack, and processes whose paintings arrive there, and are heard of, when the test says. */
function workspace({ paintsAlone = false } = {}) {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let card = 'pending';
  let ids = 0;
  const process = async () => {
    const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
    if ((await journal.refresh()) === undefined) {
      await journal.commit(() => ({ entries: ASKED, items: [], result: undefined }));
    }
    const sent: { readonly arrive: () => void; readonly answer: () => void }[] = [];
    const paint = (status: string) =>
      new Promise<'painted'>((resolve) => {
        sent.push({
          arrive: () => {
            card = status;
          },
          answer: () => resolve('painted'),
        });
      });
    const surface = {
      paintCard: ({ kind, asks }: Card) => paint(kind === 'approval' ? asks.status : kind),
      findCard: async () => undefined,
    };
    const paintings = createApprovalPaintings({ ...PLAIN, surface, paintsAlone, log: silentLog });
    const answerAll = () => {
      for (const { arrive, answer } of sent) [arrive(), answer()];
    };
    return {
      ...{ journal, sent, answerAll },
      settle: () => paintings.paint(journal, ID),
      repaint: () => paintings.repaint(journal, ID),
    };
  };
  return { process, card: () => card };
}

const owed = (journal: RunJournal) => {
  const state = journal.state();
  return state === undefined ? [] : owedPaintings(state);
};

const turnsPass = () => new Promise((resolve) => setImmediate(resolve));

it('a card stays due for painting when an older painting came last and its process died before the newer one was recorded (P21)', async () => {
  const { process, card } = workspace();
  const [far, near] = [await process(), await process()];
  void far.settle();
  await turnsPass();
  await near.journal.commit(() => ({ entries: [denied], result: undefined }));
  const painted = near.settle();
  await turnsPass();
  near.sent[0]?.arrive();
  far.sent[0]?.arrive();
  far.sent[0]?.answer();
  await turnsPass();
  expect(card()).toBe('pending');
  // The second painting of `far` is on its way when it dies.
  expect(far.sent).toHaveLength(2);

  near.sent[0]?.answer();
  await turnsPass();
  near.sent[1]?.arrive();
  near.sent[1]?.answer();

  expect(await painted).toBe('paid');
  expect(card()).toBe('denied');
  await near.journal.refresh();
  expect(owed(near.journal)).toEqual([]);
});

describe('the journal of a card that changed while it was painted', () => {
  it.each([
    ['has the older painting too, which may have covered the newer one of another process', false, 2],
    ['has the newest painting alone where no other process paints, and the newest is owed until then', true, 1],
  ])('%s (P21)', async (_what, paintsAlone, recorded) => {
    const { process, card } = workspace({ paintsAlone });
    const { journal, sent, settle } = await process();
    const before = journal.state()?.version ?? 0;
    const painted = settle();
    await turnsPass();
    await journal.commit(() => ({ entries: [denied], result: undefined }));
    sent[0]?.arrive();
    sent[0]?.answer();
    await turnsPass();
    expect(sent).toHaveLength(2);
    expect(owed(journal).map(({ standing }) => standing.status)).toEqual(['decided']);

    sent[1]?.arrive();
    sent[1]?.answer();

    expect(await painted).toBe('paid');
    expect(card()).toBe('denied');
    expect(owed(journal)).toEqual([]);
    expect((journal.state()?.version ?? 0) - before).toBe(1 + recorded);
  });
});

describe('a card that is to be painted while a painting of it is under way', () => {
  it('is painted once where that painting shows all of it (P21)', async () => {
    const { process, card } = workspace();
    const { journal, sent, settle, answerAll } = await process();
    await journal.commit(() => ({ entries: [denied], result: undefined }));
    const first = settle();
    await turnsPass();
    const second = settle();

    answerAll();
    await first;
    await turnsPass();

    expect(sent).toHaveLength(1);
    expect(await second).toBe('paid');
    expect(card()).toBe('denied');
  });

  it('is painted once more for a person who pressed an older one (P21)', async () => {
    const { process } = workspace();
    const { journal, sent, settle, repaint, answerAll } = await process();
    await journal.commit(() => ({ entries: [denied], result: undefined }));
    const first = settle();
    await turnsPass();
    const more = [settle(), repaint()];

    answerAll();
    await first;
    await turnsPass();
    expect(sent).toHaveLength(2);

    answerAll();
    expect(await Promise.all(more)).toEqual(['paid', 'paid']);
  });
});

it('a press on a row of a list card that is out of date has the list painted, and no card of that row (P21)', async () => {
  const { process, card } = workspace();
  const { journal, repaint, answerAll } = await process();
  await journal.commit(() => ({ entries: [listed], result: undefined }));

  const painted = repaint();
  await turnsPass();
  answerAll();

  expect(await painted).toBe('paid');
  expect(card()).toBe('list');
});

it('has nothing to paint on a question that its run does not know', async () => {
  const { process } = workspace();
  const { journal } = await process();
  const none = async () => undefined;
  const paint = () => Promise.reject(new Error('There is nothing to paint.'));
  const surface = { paintCard: paint, paintList: paint, findCard: none, findList: none };
  const paintings = createApprovalPaintings({ ...PLAIN, surface, log: silentLog });

  expect(await paintings.repaint(journal, approvalId(99))).toBe('paid');
});

describe('a store that fails to answer', () => {
  const unreadable = async (...more: readonly EntryBody[]) => {
    const { log, lines } = keptLog();
    const store = createModelStore(testClock(1_000));
    const failing = { ...store, readItems: () => Promise.reject(new Error('The store does not answer.')) };
    const journal = openRunJournal({ store: failing, entryId: () => 'e', elapsed: () => 0 }, runId());
    const long = ASKED.map((entry) => (entry.type === 'call-asked' ? { ...entry, input: { at: 0 } } : entry));
    await journal.commit(() => ({ entries: [...long, ...more, denied], items: ['{}'], result: undefined }));
    return { log, lines, journal };
  };
  const surface = { paintCard: async () => 'painted' as const, findCard: async () => undefined };

  it.each([
    ['the painting of a card due', ID, []],
    ['the painting of a list card due', LIST, [listed]],
  ])('keeps %s, and the log has the cause', async (_what, id, more) => {
    const { log, lines, journal } = await unreadable(...more);

    expect(await createApprovalPaintings({ ...PLAIN, surface, log }).paint(journal, id)).toBe('owing');

    expect(lines).toEqual(['warn: A card could not be painted yet. The store does not answer.']);
  });

  it('keeps the paintings of all cards of a run due, and the log has the cause', async () => {
    const { log, lines, journal } = await unreadable();
    const cards = createCards({
      ...{ paintsAlone: false, byOne: paintAtOnce },
      ...{ surface: { ...surface, takeBackSecond: async () => {} }, step: () => {}, log },
      ...{ showAgain: async () => {}, copies: { settle: async () => 'paid' }, waiting: createWaiting({ log }) },
    });

    expect(await cards.settle(journal)).toBe('owing');

    expect(lines).toEqual(['warn: A card could not be painted yet. The store does not answer.']);
  });
});
