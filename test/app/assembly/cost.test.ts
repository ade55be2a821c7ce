import { expect, it } from 'vitest';
import { ANN } from '../../../sandbox/people.ts';
import { type Cost, counting } from '../../support/in-process/counting.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';

interface Thread {
  /** The runs that the thread has behind it, each with one approved call. */
  readonly runs: number;
  /** The approved calls of the run that is counted. */
  readonly calls: number;
  readonly shared: boolean;
}

/** What the next run of a thread costs, from the message to the seal. */
async function costOf({ runs, calls, shared }: Thread): Promise<Cost> {
  const { around, spent } = counting();
  const bot = await inProcess({ tools: [tool('restart')], around, shared });
  const approvedRun = async (many: number) => {
    for (let made = 0; made < many; made += 1) bot.model.says(call('restart', { service: 'payments' }));
    await bot.mention(ANN, 'restart payments');
    for (let made = 0; made < many; made += 1) await bot.press(ANN, bot.card(), 'approve');
  };
  for (let run = 0; run < runs; run += 1) await approvedRun(1);
  spent();
  await approvedRun(calls);
  expect(bot.ran()).toHaveLength(runs + calls);
  expect(bot.posts()).toHaveLength(runs + 1);
  return spent();
}

/** What each further call of a run costs. */
async function costOfFurther(thread: Omit<Thread, 'calls'>): Promise<readonly number[]> {
  const [two, twelve] = [await costOf({ ...thread, calls: 2 }), await costOf({ ...thread, calls: 12 })];
  return [twelve.reads - two.reads, twelve.entriesRead - two.entriesRead, twelve.appends - two.appends].map(
    (more) => more / 10,
  );
}

/** Counted exactly, because no machine changes them. A change that makes one of them less writes it here. */
const ALONE = { reads: 0, entriesRead: 0, appends: 9, entriesWritten: 17 };
const SHARED = { reads: 2, entriesRead: 2, appends: 14, entriesWritten: 18 };

it.each([
  ['its own store', false, ALONE],
  ['a store that other processes use', true, SHARED],
])('an approved turn on %s costs the same behind one run and behind twenty', async (_, shared, cost) => {
  expect(await costOf({ runs: 1, calls: 1, shared })).toMatchObject(cost);
  expect(await costOf({ runs: 20, calls: 1, shared })).toMatchObject(cost);
});

it.each([
  ['its own store', false, [0, 0, 6]],
  ['a store that other processes use', true, [2, 2, 8]],
])('each further call of a run on %s costs the same reads, entries read and appends', async (_, shared, cost) => {
  expect(await costOfFurther({ runs: 1, shared })).toEqual(cost);
});

it('an approved turn behind twenty runs writes as many characters as are named here', async () => {
  const { charsWritten } = await costOf({ runs: 20, calls: 1, shared: false });

  expect(charsWritten).toBe(4_934);
});
