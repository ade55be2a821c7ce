import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { silentLog } from '../../../app/log.ts';
import { ThreadKey } from '../../../app/records/index.ts';
import type { ClaimInHand } from '../../../app/store/todo.ts';
import { createClaims } from '../../../app/work/claims.ts';
import type { ThreadOutcome } from '../../../app/work/work.ts';

const THREAD = ThreadKey.parse('T1:C1:1.0');
const ONE = ThreadKey.parse('T1:C1:2.0');
const TWO = ThreadKey.parse('T1:C1:3.0');
const aTurn = () => new Promise((resolve) => setImmediate(resolve));

interface World {
  readonly rests?: boolean;
  readonly deaths?: number;
  /** So often the store has nothing to claim. */
  readonly nothingDue?: number;
  readonly advance?: (thread: ThreadKey, onRest: () => void) => Promise<ThreadOutcome>;
  readonly setAside?: () => Promise<void>;
}

/** A process on a store that counts how often a lease is renewed, and notes what else is asked of it. */
function process({ rests = false, advance = () => new Promise(() => {}), setAside = async () => {}, ...world }: World) {
  let renewals = 0;
  let looked = 0;
  const known = { deaths: world.deaths ?? 0 };
  const claimed: ClaimInHand[] = [];
  const letGo: unknown[] = [];
  const advanced: ThreadKey[] = [];
  const claims = createClaims({
    store: {
      renewTodo: async () => {
        renewals += 1;
      },
      takeInHand: async (claim) => {
        claimed.push(claim);
        if (claimed.length <= (world.nothingDue ?? 0)) return undefined;
        return claim.suspectInMs !== undefined && known.deaths > 0 ? undefined : known.deaths;
      },
      letGo: async (...about) => void letGo.push(about),
    },
    advance: (thread, onRest) => {
      advanced.push(thread);
      return advance(thread, onRest);
    },
    rest: async () => {
      looked += 1;
      return rests;
    },
    setAside,
    by: 'me',
    isAlone: false,
    isSteady: () => true,
    onTrouble: () => {},
    log: silentLog,
  });
  return { claims, renewals: () => renewals, looked: () => looked, known, claimed, letGo, advanced };
}

/** The same with one thread at work. */
async function atWork(world: World = {}) {
  const made = process(world);
  void made.claims.take(THREAD);
  await aTurn();
  return made;
}

it('renews the lease of a thread at work once between two beats, and not while the claim is new, however often it is held', async () => {
  const { claims, renewals } = await atWork();

  for (let held = 0; held < 5; held += 1) expect(await claims.hold(THREAD)).toBe(true);
  expect(renewals()).toBe(0);

  claims.beat();
  await aTurn();
  expect(renewals()).toBe(1);
  await claims.hold(THREAD);
  expect(renewals()).toBe(1);
});

it('takes a thread back when it is held after it rested', async () => {
  const { claims } = await atWork({ rests: true });
  claims.beat();
  await aTurn();
  expect(claims.busy()).toBe(0);

  expect(await claims.hold(THREAD)).toBe(true);

  expect(claims.busy()).toBe(1);
});

it.each([
  { when: 'before the store took it off the list', kickBefore: true, advanced: 1 },
  { when: 'while the store takes it off the list', kickBefore: false, advanced: 2 },
])('advances a thread that was kicked $when $advanced times', async ({ kickBefore, advanced }) => {
  let times = 0;
  const kick = () => void claims.take(THREAD);
  const { claims } = process({
    advance: async (_thread, onRest) => {
      await aTurn();
      times += 1;
      if (times > 1) return 'done';
      if (kickBefore) kick();
      onRest();
      if (!kickBefore) kick();
      await aTurn();
      return 'done';
    },
  });

  kick();
  for (let turn = 0; turn < 10; turn += 1) await aTurn();

  expect(times).toBe(advanced);
});

describe('a process', () => {
  it.each([
    ['comes up again', 'later', ['me', undefined]],
    ['is offered to others', { offerInMs: 500 }, ['me', 500]],
  ] as const)(
    'lets go of a thread that %s, so that its own end later is no death of it (EDGE-7)',
    async (_what, end, left) => {
      const { letGo } = await atWork({ advance: async () => end });

      expect(letGo).toEqual([[THREAD, ...left]]);
    },
  );

  it('lets go of a thread whose advance failed (EDGE-7)', async () => {
    const { letGo } = await atWork({ advance: () => Promise.reject(new Error('no')) });

    expect(letGo).toEqual([[THREAD, 'me', undefined]]);
  });

  it('lets go of what does not end in time when it is told to stop (EDGE-7)', async () => {
    const { claims, letGo } = await atWork();

    expect(await claims.close(1)).toBe('cut');

    expect(letGo).toEqual([[THREAD, 'me', undefined]]);
  });
});

describe('of threads with which a process died, a process', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('advances one at a time, and the next once that got further (EDGE-7)', async () => {
    const { claims, known, advanced, renewals } = process({ deaths: 1 });
    for (const thread of [ONE, TWO]) void claims.take(thread);
    await aTurn();
    expect(advanced).toEqual([ONE]);

    void claims.take(TWO);
    await aTurn();
    expect(advanced).toEqual([ONE]);

    known.deaths = 0;
    claims.beat();
    await aTurn();
    known.deaths = 1;
    void claims.take(TWO);
    await aTurn();
    expect(advanced).toEqual([ONE, TWO]);
    expect(renewals()).toBe(0);
  });

  it('advances the next beside one that takes long, and any other at once (EDGE-7)', async () => {
    const { claims, known, advanced } = await atWork({ deaths: 1 });
    known.deaths = 0;
    void claims.take(ONE);
    await aTurn();
    expect(advanced).toEqual([THREAD, ONE]);

    known.deaths = 1;
    vi.advanceTimersByTime(LIMITS.suspectMs + 1);
    void claims.take(TWO);
    await aTurn();
    expect(advanced).toEqual([THREAD, ONE, TWO]);
  });

  it('sets one aside after the second death, and tries again later where it cannot (EDGE-7)', async () => {
    let tries = 0;
    const { claims, advanced, letGo } = await atWork({
      deaths: 2,
      setAside: async () => {
        tries += 1;
        if (tries === 1) throw new Error('Slack is away.');
      },
    });
    expect(letGo).toEqual([[THREAD, 'me', LIMITS.retryAfterMs]]);

    void claims.take(THREAD);
    await aTurn();

    expect(tries).toBe(2);
    expect(letGo).toHaveLength(1);
    expect(advanced).toEqual([]);
  });

  it('reads nothing of one that is being set aside, and renews its lease (EDGE-7)', async () => {
    const { claims, claimed, looked } = await atWork({ deaths: 2, setAside: () => new Promise(() => {}) });

    claims.beat();
    await aTurn();

    expect(looked()).toBe(0);
    expect(claimed).toHaveLength(2);
  });

  it('advances one that a person has tried again while it is still being set aside (EDGE-7)', async () => {
    const made = process({
      deaths: 2,
      setAside: async () => {
        await aTurn();
        made.known.deaths = 1;
        void made.claims.take(THREAD);
      },
    });
    void made.claims.take(THREAD);
    for (let turn = 0; turn < 5; turn += 1) await aTurn();

    expect(made.advanced).toEqual([THREAD]);
  });
});

it('claims a thread once more that was kicked while the store said that there is nothing to claim', async () => {
  const made = process({ nothingDue: 1 });
  for (let kick = 0; kick < 2; kick += 1) void made.claims.take(THREAD);
  for (let turn = 0; turn < 5; turn += 1) await aTurn();

  expect(made.claimed).toHaveLength(2);
  expect(made.advanced).toEqual([THREAD]);
});
