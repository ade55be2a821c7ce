import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { LIMITS } from '../../../app/limits.ts';
import { silentLog } from '../../../app/log.ts';
import { type Cards, createCards } from '../../../app/questions/cards.ts';
import { createPaintByOne } from '../../../app/questions/one-painter.ts';
import { createWaiting } from '../../../app/questions/waiting.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { ApprovalId, Card, CardReceipt } from '../../../app/records/index.ts';
import { showAgain } from '../../../app/runs/asking/showing-again.ts';
import { ClosedChannelError } from '../../../app/surface.ts';
import { pause } from '../../../app/time/index.ts';
import { collector } from '../../support/collector.ts';
import { approvalId, asked, runId, started, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const CARD: CardReceipt = { channel: 'C1', ts: '2.0' };
const LIST = approvalId(9);
const shown = (approval: ApprovalId): EntryBody => ({ type: 'card-posted', approval, card: CARD });
const yes: EntryBody = { type: 'yes-counted', approval: approvalId(), by: user('BEN') };
const denied: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: user('ANN') };
const alone = [started, turn(1, 'a'), asked(), shown(approvalId())];
const listed: readonly EntryBody[] = [
  started,
  turn(1, 'a', 'b'),
  asked(),
  asked({ approval: approvalId(2), call: '1/b' }),
  { type: 'calls-listed', list: LIST, approvals: [approvalId(), approvalId(2)] },
  shown(approvalId()),
  shown(approvalId(2)),
];

/** A thread that may have lost a card without a word, and processes that repaint what is owed there. */
async function thread(...entries: readonly EntryBody[]) {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  const standing = new Map<string, string>([[CARD.ts, 'the first']]);
  const posted: string[] = [];
  let ids = 0;
  let deaf = false;
  let locked = false;
  const post = async ({ asks: { id } }: Card) => {
    posted.push(id);
    const card = { channel: 'C1', ts: `${posted.length + 2}.0` };
    standing.set(card.ts, id);
    return card;
  };
  const painted: CardReceipt[] = [];
  let slow: Promise<unknown> | undefined;
  const paint = async (_card: Card, at: CardReceipt) => {
    painted.push(at);
    await slow;
    if (locked) return 'refused' as const;
    return standing.has(at.ts) && !deaf ? ('painted' as const) : ('gone' as const);
  };
  let meanwhile: (() => Promise<unknown>) | undefined;
  let closed: Error | undefined;
  const find = async () => {
    if (closed !== undefined) throw closed;
    if (meanwhile === undefined) return [...standing.keys()].map((ts) => ({ channel: 'C1', ts })).at(-1);
    await meanwhile();
    return undefined;
  };
  const surface = {
    ...{ postCard: post, findCard: find, paintCard: paint },
    ...{ takeBack: async () => {}, takeBackSecond: async () => {}, status: async () => {} },
  };
  /** Claims of paintings end by themselves, so their clock runs. */
  const claiming = createModelStore({ now: () => performance.now() });
  const gone = new Set<string>();
  const claimed: string[] = [];
  /** A process that is gone renews no claim. */
  const claims: typeof store.claimPainting = (claim) => {
    if (gone.has(claim.by)) return Promise.reject(new Error('The store is away.'));
    claimed.push(claim.by);
    return claiming.claimPainting(claim);
  };
  const process = async (by: string, { hears = true } = {}) => {
    const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
    if ((await journal.refresh()) === undefined) {
      await journal.commit(() => ({ entries, items: ['{}'], result: undefined }));
    }
    const copies = { settle: async () => 'paid' as const };
    const about = { surface, by, copies, log: silentLog, step: () => {} };
    const waiting = createWaiting({ log: silentLog });
    if (hears)
      await store.watch({ onHint: (hint) => void waiting.look(hint.run, hint.version, hint.entries), onGap: () => {} });
    const cards: Cards = createCards({
      paintsAlone: false,
      ...{ ...about, waiting, byOne: createPaintByOne({ store: { ...claiming, claimPainting: claims }, by, waiting }) },
      showAgain: (of, lost) => showAgain({ ...about, waiting, cards }, of, lost),
    });
    /** Another part of the process, which read the journal before the card was painted. */
    const other = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
    await other.refresh();
    let released = 0;
    const registry = new FinalizationRegistry(() => {
      released += 1;
    });
    return {
      journal,
      /** As a thread that comes up again and again, each time with a journal of its own. */
      settleAnew: async () => {
        const again = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
        registry.register(again, undefined);
        await again.refresh();
        void cards.settle(again);
      },
      released: () => released,
      settleElsewhere: () => cards.settle(other),
      settle: () => cards.settle(journal),
      settleAnswered: () => cards.settleAnswered(journal, approvalId()),
      isShown: () => cards.isShown(CARD),
    };
  };
  return {
    process,
    posted,
    painted,
    claimed,
    whileLooking: (happens: () => Promise<unknown>) => {
      meanwhile = happens;
    },
    isGone: (by: string) => gone.add(by),
    lose: () => standing.clear(),
    setLocked: (isLocked: boolean) => {
      locked = isLocked;
    },
    slowDown: (until: Promise<unknown>) => {
      slow = until;
    },
    setDeaf: () => {
      deaf = true;
    },
    close: (error: Error) => {
      closed = error;
    },
  };
}

it.each([
  [
    'may stand in a channel that is closed can never be painted (FS9)',
    new ClosedChannelError('C1', 'channel_not_found'),
  ],
  ['cannot be looked for now stays owed', new Error('503')],
])('a card without a receipt that %s', async (_what, error) => {
  const { process, close } = await thread(started, turn(1, 'a'), asked(), denied);
  const one = await process('one');
  close(error);

  expect(await one.settle()).toBe(error instanceof ClosedChannelError ? error : 'owing');
});

const gone: readonly EntryBody[] = [
  started,
  turn(1, 'a'),
  { type: 'call-started', call: '1/a', attempt: 'try-1', tool: 'restart', digest: 'd', grant: { type: 'open' } },
];
const unknown: EntryBody = { type: 'call-unknown', call: '1/a', attempt: 'try-1' };
const doubted: EntryBody = {
  ...{ type: 'doubt-asked', doubt: approvalId(), call: '1/a', tool: 'restart', summary: 'Run restart.' },
  ...{ digest: 'd', effect: 'asked', rule: { approvers: [], selfApproval: true }, expiresAtMs: 9_000 },
};
const inquired: EntryBody = {
  ...{ type: 'inquiry-asked', inquiry: approvalId(), call: '1/a', server: 'ops', tool: 'restart' },
  ...{ message: 'Sure?', schema: '{}', expiresAtMs: 9_000 },
};

it.each<[string, readonly EntryBody[], EntryBody]>([
  [
    'what became of a call',
    [...gone, unknown, doubted, { type: 'doubt-settled', doubt: approvalId(), how: 'finished' }],
    { type: 'doubt-posted', doubt: approvalId(), card: CARD },
  ],
  [
    'what a tool server wants to know',
    [...gone, inquired, { type: 'inquiry-settled', inquiry: approvalId(), how: 'withdrawn' }],
    { type: 'inquiry-posted', inquiry: approvalId(), card: CARD },
  ],
])(
  'a card that asks %s and was found by no search is painted all the same when its place is recorded late (D7)',
  async (_what, entries, receipt) => {
    const { process, painted, whileLooking } = await thread(...entries);
    const [one, poster] = [await process('one'), await process('poster')];
    // It is on its way: the search finds nothing, and before that is written, the receipt is.
    whileLooking(() => poster.journal.commit(() => ({ entries: [receipt], result: undefined })));

    expect(await one.settle()).toBe('owing');
    expect(await one.settle()).toBe('paid');

    expect(painted).toEqual([CARD]);
  },
);

describe.concurrent.each<[string, readonly EntryBody[]]>([
  ['an approval', [...alone, denied]],
  ['several calls', [...listed, denied]],
  [
    'a lost call',
    [
      ...[...gone, unknown, doubted],
      { type: 'doubt-posted', doubt: approvalId(), card: CARD },
      { type: 'doubt-settled', doubt: approvalId(), how: 'finished' },
    ],
  ],
])('a card about %s', (_what, entries) => {
  it('that two parts of a process find owed is painted once (SURF-3)', async () => {
    const { process, painted } = await thread(...entries);
    const one = await process('one');
    expect(await Promise.all([one.settle(), one.settleElsewhere()])).toEqual(['paid', 'paid']);
    expect(painted).toEqual([CARD]);
  });

  it('is painted by the process that stored the answer, and not also by the one that waited for it (SURF-3)', async () => {
    const { process, painted } = await thread(...entries);
    const [pressed, waited] = [await process('pressed'), await process('waited')];
    const both = [waited.settleAnswered(), pressed.settle()];
    expect(await Promise.all(both)).toEqual(['paid', 'paid']);
    expect(painted).toEqual([CARD]);
  });

  it('that two processes want to paint is painted by the first, however long Slack takes (SURF-3)', async () => {
    const { process, painted, slowDown } = await thread(...entries);
    const [one, other] = [await process('one'), await process('other')];
    slowDown(pause(1.1 * LIMITS.leaseMs));
    const both = [one.settle(), other.settleAnswered(), other.settle()];
    expect(await Promise.all(both)).toEqual(['paid', 'paid', 'paid']);
    expect(painted).toEqual([CARD]);
  });

  it('is painted while the store does not answer which process is at it (SURF-3)', async () => {
    const { process, painted, isGone } = await thread(...entries);
    const one = await process('one');
    isGone('one');
    expect(await one.settle()).toBe('paid');
    expect(painted).toEqual([CARD]);
  });
});

it('a card is painted by another process once the one that began to paint it has died (SURF-3)', async () => {
  const { process, painted, slowDown, isGone } = await thread(...alone, denied);
  const [dying, other] = [await process('dying'), await process('other')];
  slowDown(new Promise(() => {}));
  void dying.settle();
  await expect.poll(() => painted).toEqual([CARD]);
  isGone('dying');
  slowDown(Promise.resolve());
  expect(await other.settleAnswered()).toBe('paid');
  expect(painted).toEqual([CARD, CARD]);
});

it('a card is painted once when the process that waits for the painting of another gets no hint of it (SURF-3)', async () => {
  const { process, painted, slowDown } = await thread(...alone, denied);
  const [one, other] = [await process('one'), await process('other', { hears: false })];
  slowDown(pause(LIMITS.leaseMs / 2));

  expect(await Promise.all([one.settle(), other.settle()])).toEqual(['paid', 'paid']);
  expect(painted).toEqual([CARD]);
});

describe('a newer state of a card', () => {
  const both = async () => {
    const there = await thread(...alone, yes);
    const [one, other] = [await there.process('one'), await there.process('other')];
    const change = () => other.journal.commit(() => ({ entries: [denied], items: [], result: undefined }));
    return { ...there, one, other, change };
  };

  it('is painted by another process at once when the older painting is over (SURF-3)', async () => {
    const { one, other, change, painted, claimed } = await both();
    expect(await one.settle()).toBe('paid');
    await change();

    expect(await other.settle()).toBe('paid');
    expect(claimed.filter((by) => by === 'other')).toHaveLength(1);
    expect(painted).toHaveLength(2);
  });

  it('is not painted while an older painting of another process is under way (SURF-3)', async () => {
    const { one, other, change, painted, slowDown } = await both();
    let go = () => {};
    slowDown(new Promise<void>((resolve) => (go = resolve)));
    const older = one.settle();
    await expect.poll(() => painted).toHaveLength(1);
    await change();
    const newer = other.settle();
    await pause(LIMITS.leaseMs / 4);

    expect(painted).toHaveLength(1);
    go();
    expect(await Promise.all([older, newer])).toEqual(['paid', 'paid']);
    expect(painted).toHaveLength(2);
  });
});

describe('whether a card can show what came of a press', () => {
  it.each([
    ['Slack lets the bot change it', () => {}, true],
    ['it is deleted', ({ lose }: Awaited<ReturnType<typeof thread>>) => lose(), false],
    ['its thread is locked', ({ setLocked }: Awaited<ReturnType<typeof thread>>) => setLocked(true), false],
  ])('is known once its painting was tried: %s (SURF-1)', async (_what, spoil, isShown) => {
    const there = await thread(...alone, denied);
    const one = await there.process('one');
    let go: (() => void) | undefined;
    there.slowDown(new Promise<void>((resolve) => (go = resolve)));
    spoil(there);
    const settled = one.settle();
    await new Promise((resolve) => setImmediate(resolve));
    const known = one.isShown();
    go?.();

    expect(await known).toBe(isShown);
    expect(await settled).toBe('paid');
  });

  it('is true again once Slack takes a painting of it (SURF-1)', async () => {
    const { process, setLocked } = await thread(...alone, yes);
    const one = await process('one');
    setLocked(true);
    await one.settle();
    expect(await one.isShown()).toBe(false);

    setLocked(false);
    await one.journal.commit(() => ({ entries: [denied], result: undefined }));
    await one.settle();
    expect(await one.isShown()).toBe(true);
  });
});

describe('a card that is found deleted when it is painted', () => {
  it('is posted anew once while its question waits, though two replicas find out at the same instant (B9)', async () => {
    const { process, posted, lose } = await thread(...alone, yes);
    const [one, other] = [await process('one'), await process('other')];
    lose();

    await Promise.all([one.settle(), other.settle()]);
    expect(await one.settle()).toBe('paid');
    expect(await other.settle()).toBe('paid');

    expect(posted).toEqual([approvalId()]);
    await one.journal.refresh();
    expect(one.journal.state()?.approvals.get(approvalId())).toMatchObject({
      card: { ts: '3.0' },
      lostCards: [CARD],
    });
  });

  it('is posted anew with all of its rows while one of them waits (B9)', async () => {
    const { process, posted, lose } = await thread(...listed, denied);
    const one = await process('one');
    lose();

    expect(await one.settle()).toBe('paid');
    expect(posted).toEqual([LIST]);
    const rows = [...(one.journal.state()?.approvals.values() ?? [])];
    expect(rows.map(({ card }) => card?.ts)).toEqual(['3.0', '3.0']);
  });

  it('is dropped when its question is decided: the decision counts without it (B9, P14)', async () => {
    const { process, posted, lose } = await thread(...alone, denied);
    const one = await process('one');
    lose();

    expect(await one.settle()).toBe('paid');
    expect(posted).toEqual([]);
  });

  it('is not posted a second time when the thread still has it, and its painting stays due (B9)', async () => {
    const { process, posted, setDeaf } = await thread(...alone, yes);
    const one = await process('one');
    setDeaf();

    expect(await one.settle()).toBe('owing');
    expect(posted).toEqual([]);
    expect(one.journal.state()?.approvals.get(approvalId())?.card).toEqual(CARD);
  });
});

it('a card that waits long for its turn in Slack keeps one journal in memory, however often its thread comes up', async () => {
  const collect = collector();
  const { process, slowDown, painted } = await thread(...alone, denied);
  const one = await process('one');
  let goOn = () => {};
  slowDown(
    new Promise<void>((resolve) => {
      goOn = resolve;
    }),
  );
  for (let time = 0; time < 20; time += 1) await one.settleAnew();
  for (let rounds = 0; one.released() < 19 && rounds < 100; rounds += 1) {
    await new Promise(setImmediate);
    collect();
  }

  expect(one.released()).toBe(19);
  goOn();
  expect(await one.settle()).toBe('paid');
  expect(painted).toHaveLength(1);
});

it('a card is painted although an earlier painting of the same run still waits for its turn in Slack', async () => {
  const second: EntryBody = { ...denied, approval: approvalId(2) };
  const both = [asked(), shown(approvalId()), asked({ approval: approvalId(2), call: '1/b' }), shown(approvalId(2))];
  const { process, slowDown, painted } = await thread(started, turn(1, 'a', 'b'), ...both, denied);
  const one = await process('one');
  let goOn = () => {};
  slowDown(
    new Promise<void>((resolve) => {
      goOn = resolve;
    }),
  );
  const first = one.settle();
  await expect.poll(() => painted.length).toBe(1);
  await one.journal.commit(() => ({ entries: [second], result: undefined }));
  const then = one.settle();
  await expect.poll(() => painted.length).toBe(2);
  goOn();

  expect(await Promise.all([first, then])).toEqual(['paid', 'paid']);
});
