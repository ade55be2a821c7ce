import { expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { ThreadKey } from '../../../app/records/index.ts';
import { createClaims } from '../../../app/work/claims.ts';
import type { WorkDeps } from '../../../app/work/work.ts';

const THREAD = ThreadKey.parse('T1:C1:1.0');
const aTurn = () => new Promise((resolve) => setImmediate(resolve));

interface AtWork {
  readonly rests: boolean;
  readonly how: 'claimed' | undefined;
  readonly advance: WorkDeps['advance'];
}

/** A process with one thread at work, on a store that counts how often its lease is renewed. */
function atWork({ rests = false, how, advance = () => new Promise(() => {}) }: Partial<AtWork> = {}) {
  let renewals = 0;
  const claims = createClaims({
    store: {
      renewTodo: async () => {
        renewals += 1;
      },
    },
    advance,
    rest: async () => rests,
    reclaim: async () => true,
    onTrouble: () => {},
    log: silentLog,
  });
  void claims.take(THREAD, how);
  return { claims, renewals: () => renewals };
}

it('renews the lease of a thread at work once between two beats, however often it is held', async () => {
  const { claims, renewals } = atWork();
  expect(renewals()).toBe(1);

  for (let held = 0; held < 5; held += 1) expect(await claims.hold(THREAD)).toBe(true);
  expect(renewals()).toBe(1);

  claims.beat();
  await aTurn();
  expect(renewals()).toBe(2);
  await claims.hold(THREAD);
  expect(renewals()).toBe(2);
});

it('does not renew the lease of a thread that it has just claimed', async () => {
  const { claims, renewals } = atWork({ how: 'claimed' });
  expect(renewals()).toBe(0);

  claims.beat();
  await aTurn();
  expect(renewals()).toBe(1);
});

it('takes a thread back when it is held after it rested', async () => {
  const { claims } = atWork({ rests: true });
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
  const { claims } = atWork({
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

  for (let turn = 0; turn < 10; turn += 1) await aTurn();

  expect(times).toBe(advanced);
});
