import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { LIMITS } from '../../../app/limits.ts';
import { silentLog } from '../../../app/log.ts';
import { expireQuestion } from '../../../app/questions/answering.ts';
import { createCards } from '../../../app/questions/cards.ts';
import { askForServer, type ServerAsking, wayOfInquiries } from '../../../app/questions/inquiries.ts';
import { paintAtOnce } from '../../../app/questions/one-painter.ts';
import { createQuestions } from '../../../app/questions/questions.ts';
import { createWaiting } from '../../../app/questions/waiting.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { ApprovalId, Card, Inquiry, RunId } from '../../../app/records/index.ts';
import { withUnknown } from '../../../app/runs/asking/doubt-results.ts';
import { postQuestionCard } from '../../../app/runs/asking/posting-cards.ts';
import { approvalId, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const callStarted: EntryBody = {
  type: 'call-started',
  call: '1/a',
  attempt: 't1',
  tool: 'notes__ask',
  digest: 'd1',
  grant: { type: 'open' },
};
const ANN = { user: user('ANN'), team: THREAD.team };
const CARD = { channel: 'C1', ts: '2.0' };
const BY_ANN = { by: ANN, card: CARD };
const accepted = { how: 'answered', content: { branch: 'main' } } as const;

/** A run whose call is on its way, and a place that shows what it is given or, when told so, nothing. */
async function open({
  shows = true,
  schemaProblem,
}: {
  readonly shows?: boolean;
  readonly schemaProblem?: string;
} = {}) {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let entries = 0;
  const entryId = () => `e${++entries}`;
  const journalOf = (run: RunId) => openRunJournal({ store, entryId, elapsed: clock.now }, run);
  await journalOf(runId()).commit(() => ({ entries: [started, turn(1, 'a'), callStarted], result: undefined }));
  const painted: Inquiry[] = [];
  const woken: string[] = [];
  const statuses: string[] = [];
  let tell: (inquiry: Inquiry) => void = () => {};
  const posted = new Promise<Inquiry>((resolve) => {
    tell = resolve;
  });
  const surface = {
    takeBack: async () => {},
    takeBackSecond: async () => {},
    postCard: async ({ kind, asks }: Card) => {
      if (!shows || kind !== 'inquiry') throw new Error('Slack is away.');
      // Pressed before the receipt is stored.
      setImmediate(() => tell(asks));
      return CARD;
    },
    findCard: async () => undefined,
    paintCard: async ({ kind, asks }: Card) => {
      if (kind !== 'inquiry') return 'gone' as const;
      painted.push(asks);
      return 'painted' as const;
    },
    status: async (_thread: unknown, status: string) => void statuses.push(status),
  };
  const waiting = createWaiting({ log: silentLog });
  await store.watch({ onHint: ({ run }) => void waiting.look(run), onGap: () => {} });
  const by = 'one';
  let outage = false;
  const common = { journalOf, log: silentLog, step: () => {} };
  const cards = createCards({
    ...common,
    ...{ surface, waiting, byOne: paintAtOnce },
    paintsAlone: false,
    showAgain: async () => {},
    copies: { settle: async () => 'paid' },
  });
  const answering = {
    ...{ ...common, cards, withUnknown, wake: () => void woken.push('a thread') },
    store: {
      findApproval: (id: ApprovalId) =>
        outage ? Promise.reject(new Error('The store is away.')) : store.findApproval(id),
    },
  };
  const { inquiry, doubt } = createQuestions({
    answering,
    ways: { inquiry: wayOfInquiries(async () => schemaProblem) },
    asking: {
      ...{ ...common, surface, cards, waiting, newQuestionId: () => approvalId() },
      showCard: (journal, id) => postQuestionCard({ ...common, surface, by, waiting }, journal, id),
    },
  });
  const stop = new AbortController();
  const ask = (changes: Partial<ServerAsking> = {}) =>
    askForServer(
      { journalOf, inquiry },
      {
        key: `${runId()}/1/a`,
        server: 'notes',
        tool: 'notes__ask',
        message: 'Which branch?',
        schema: { type: 'object', properties: { branch: { type: 'string' } } },
        signal: stop.signal,
        ...changes,
      },
    );
  const standing = async () => {
    const journal = journalOf(runId());
    await journal.refresh();
    return (await journal.question(approvalId()))?.asks.standing.status;
  };
  return {
    ...inquiry,
    doubt,
    expire: (id: ApprovalId) => expireQuestion(answering, id),
    ask,
    clock,
    painted,
    woken,
    statuses,
    posted,
    standing,
    withdraw: () => stop.abort(),
    setAway: () => {
      outage = true;
    },
  };
}

describe('an inquiry of a running call', () => {
  it('is shown, answered, and its card says so', async () => {
    const bot = await open();
    const told = bot.ask();
    const { id } = await bot.posted;

    expect(await bot.consider(id, ANN)).toMatchObject({ type: 'open' });
    expect(await bot.answer(id, accepted, BY_ANN)).toMatchObject({ type: 'answered' });

    expect(await told).toEqual({ action: 'accept', content: { branch: 'main' } });
    expect(bot.statuses).toEqual(['suspended', 'processing']);
    expect(bot.painted.at(-1)?.standing).toMatchObject({ status: 'answered', by: 'ANN' });
    // The process that runs the call waits for the answer and is awake.
    expect(bot.woken).toEqual([]);
    expect(await bot.answer(id, { how: 'declined' }, BY_ANN)).toMatchObject({
      type: 'answered-before',
    });
    expect(await bot.consider(id, ANN)).toMatchObject({ type: 'answered-before' });
  });

  it('takes the first of two answers that come at once, and tells the second person so', async () => {
    const bot = await open();
    const told = bot.ask();
    const { id } = await bot.posted;

    const answer = () => bot.answer(id, accepted, BY_ANN);
    const both = await Promise.all([answer(), answer()]);

    expect(both.map(({ type }) => type).toSorted()).toEqual(['answered', 'answered-before']);
    expect(await told).toMatchObject({ action: 'accept' });
  });

  it('is declined', async () => {
    const bot = await open();
    const told = bot.ask();
    const { id } = await bot.posted;

    await bot.answer(id, { how: 'declined' }, BY_ANN);

    expect(await told).toEqual({ action: 'decline' });
  });

  it('stays open when another person answers, or when an answer does not fit (P35)', async () => {
    const bot = await open({ schemaProblem: 'data/branch is no branch.' });
    void bot.ask();
    const { id } = await bot.posted;

    expect(await bot.answer(id, accepted, { by: { ...ANN, user: user('ZOE') }, card: CARD })).toMatchObject({
      type: 'not-yours',
    });
    expect(await bot.answer(id, accepted, BY_ANN)).toEqual({
      type: 'unfit',
      problem: 'data/branch is no branch.',
    });
    expect(await bot.standing()).toBe('pending');
    bot.withdraw();
  });

  it('is withdrawn when its answer is no longer wanted, and takes none after that (P21)', async () => {
    const bot = await open();
    const told = bot.ask();
    const { id } = await bot.posted;

    bot.withdraw();

    expect(await told).toEqual({ action: 'cancel' });
    expect(bot.painted.at(-1)?.standing).toEqual({ status: 'withdrawn' });
    expect(await bot.answer(id, accepted, BY_ANN)).toMatchObject({ type: 'over' });
  });

  it('is put to no person when its call is over already (P21)', async () => {
    const bot = await open();
    bot.withdraw();

    expect(await bot.ask()).toEqual({ action: 'cancel' });
    expect(await bot.standing()).toBeUndefined();
  });

  it('takes no answer that is meant for another kind of question (P15)', async () => {
    const bot = await open();
    void bot.ask();
    const { id } = await bot.posted;

    expect(await bot.doubt.consider(id, ANN)).toEqual({ type: 'unknown' });
    expect(await bot.doubt.answer(id, { how: 'happened' }, BY_ANN)).toEqual({ type: 'unknown' });
    expect(await bot.standing()).toBe('pending');
    bot.withdraw();
  });

  it('is withdrawn when it could not be shown, because no person could answer it', async () => {
    const bot = await open({ shows: false });

    expect(await bot.ask()).toEqual({ action: 'cancel' });
    expect(await bot.standing()).toBe('withdrawn');
  });

  it('expires by the clock of the store, even when a late answer is the first to notice', async () => {
    const bot = await open();
    const told = bot.ask();
    const { id } = await bot.posted;
    await bot.expire(id);
    expect(await bot.standing()).toBe('pending');

    bot.clock.advance(LIMITS.inquiryLifetimeMs + 1);

    expect(await bot.answer(id, accepted, BY_ANN)).toMatchObject({ type: 'over' });
    expect(await told).toEqual({ action: 'cancel' });
    expect(bot.painted.at(-1)?.standing).toEqual({ status: 'expired' });
  });

  it('says that nothing was recorded when the store is away (P3)', async () => {
    const bot = await open();
    void bot.ask();
    const { id } = await bot.posted;
    bot.setAway();

    expect(await bot.answer(id, accepted, BY_ANN)).toEqual({ type: 'failed' });
    expect(await bot.consider(id, ANN)).toEqual({ type: 'failed' });
    expect(await bot.standing()).toBe('pending');
    bot.withdraw();
  });

  it('is unknown when it was never asked (P3)', async () => {
    const bot = await open();

    expect(await bot.answer(approvalId(7), accepted, BY_ANN)).toEqual({ type: 'unknown' });
  });

  it.each([
    ['no run', { key: 'somewhere/1/a' }],
    ['a call that does not run', { key: `${runId()}/1/b` }],
  ])('is not asked for %s', async (_what, changes) => {
    const bot = await open();

    expect(await bot.ask(changes)).toEqual({ action: 'cancel' });
    expect(await bot.standing()).toBeUndefined();
  });

  it('stores no form that is too long to be drawn', async () => {
    const bot = await open();
    void bot.ask({ schema: { type: 'object', description: 'x'.repeat(LIMITS.inquirySchemaChars) } });

    expect((await bot.posted).schema).toBe('');
    bot.withdraw();
  });
});
