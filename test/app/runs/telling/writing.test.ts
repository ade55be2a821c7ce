import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import type { CardReceipt } from '../../../../app/records/index.ts';
import { dropWriting, placeReply } from '../../../../app/runs/telling/placed-reply.ts';
import { createWriting } from '../../../../app/runs/telling/writing.ts';
import type { AtStep } from '../../../../app/step.ts';
import { itemsFor, runId, started, THREAD, turn } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { handTimers } from '../../../support/scripted-model.ts';

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const REPLY: CardReceipt = { channel: THREAD.channel, ts: '2' };

/** A run whose answer one process begins to show, and another process that may go on without it. */
async function answering(step: AtStep = quiet) {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const open = async () => {
    const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
    if ((await journal.refresh()) === undefined)
      await journal.commit(() => ({ entries: [started], result: undefined }));
    return journal;
  };
  const [slow, other] = [await open(), await open()];
  const grown: number[] = [];
  const [timers, taken, opening] = [handTimers(), [] as (CardReceipt | undefined)[], [] as (() => void)[]];
  const surface = {
    beginReply: () => new Promise<CardReceipt>((resolve) => opening.push(() => resolve(REPLY))),
    growReply: async () => void grown.push(1),
    dropReply: async (_thread: unknown, card: CardReceipt | undefined) => void taken.push(card),
  };
  const writing = createWriting({ surface, timers, by: 'slow', log, step, summarise: ({ name }) => name }, slow);
  writing.show({ type: 'text', text: 'I am' });
  timers.pass(1_000);
  const goesOn = async () => {
    await other.refresh();
    await dropWriting(surface, other);
  };
  return { clock, slow, other, opening, taken, grown, timers, writing, goesOn };
}

it('removes a streamed reply that appeared after another process had gone on without it (D12)', async () => {
  const { slow, opening, taken, grown, timers, writing, goesOn } = await answering();

  await expect.poll(() => opening).toHaveLength(1);
  await goesOn();
  opening[0]?.();
  await expect.poll(() => taken).toHaveLength(2);
  writing.show({ type: 'text', text: ' here' });
  timers.pass(1_000);
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  await writing.end();

  expect(opening).toHaveLength(1);
  expect(grown).toEqual([]);
  expect(taken).toEqual([undefined, REPLY]);
  expect((await slow.refresh())?.writing).toBeUndefined();
});

it('begins no streamed reply after a pause, because another process may have searched for it in vain (D12)', async () => {
  let goOn = quiet;
  const { clock, slow, other, opening, writing, goesOn } = await answering(
    () => new Promise<void>((resolve) => (goOn = resolve)),
  );

  await expect.poll(() => goOn).not.toBe(quiet);
  clock.advance(LIMITS.leaseMs);
  await goesOn();
  // And it has begun one of its own, which does not stand there yet.
  await other.commit(() => ({ entries: [{ type: 'reply-begun', by: 'other' }], result: undefined }));
  goOn();
  await writing.end();

  expect(opening).toEqual([]);
  expect((await slow.refresh())?.writing).toEqual({ by: 'other' });
});

it('still has to remove a half-written reply when Slack did not remove it (D12)', async () => {
  const { slow, opening, writing } = await answering();
  await expect.poll(() => opening).toHaveLength(1);
  opening[0]?.();
  await writing.end();

  await expect(dropWriting({ dropReply: () => Promise.reject(new Error('503')) }, slow)).rejects.toThrow();

  expect((await slow.refresh())?.writing).toEqual({ card: REPLY, by: 'slow' });
});

it.each<[string, EntryBody]>([
  ['has ended', { type: 'run-stopped', cause: 'enough' }],
  ['has an answer of another process', turn(1)],
  ['another process shows an answer of', { type: 'reply-begun', by: 'other' }],
])('begins no reply for a run that %s meanwhile, and leaves that to the next turn', async (_how, entry) => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const open = () => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const [slow, other] = [open(), open()];
  await slow.commit(() => ({ entries: [started], result: undefined }));
  await other.refresh();
  await other.commit(() => ({ entries: [entry], items: itemsFor(undefined, [entry]), result: undefined }));
  const called: string[] = [];
  const surface = {
    beginReply: async () => void called.push('begin'),
    dropReply: async () => void called.push('drop'),
  };

  expect(await placeReply({ surface, by: 'slow', step: quiet }, slow, () => called.push('give up'))).toBeUndefined();

  expect(called).toEqual([]);
});

it('streams nothing after the end for work that is reported late', async () => {
  const { slow, opening, timers, writing, goesOn } = await answering(quiet);
  await expect.poll(() => opening).toHaveLength(1);
  opening[0]?.();
  await writing.end();
  writing.told();
  await goesOn();
  await slow.refresh();

  writing.show({ type: 'text', text: 'And more.' });
  timers.pass(1_000);
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));

  expect(opening).toHaveLength(1);
});

it('takes back a streamed reply that appears only after the process has begun to wait for people', async () => {
  const { slow, opening, taken, writing } = await answering(quiet);
  await expect.poll(() => opening).toHaveLength(1);

  const resting = writing.rest();
  opening[0]?.();
  await resting;
  await writing.end();

  expect(taken).toEqual([REPLY]);
  expect((await slow.refresh())?.writing).toBeUndefined();
});

it('ends only once a reply that is on its way stands in the journal, so that it can be removed (D12)', async () => {
  const { slow, opening, taken, writing } = await answering(quiet);
  await expect.poll(() => opening).toHaveLength(1);

  const ended = writing
    .end()
    .then(() => dropWriting({ dropReply: async (_thread, card) => void taken.push(card) }, slow));
  opening[0]?.();
  await ended;

  expect(taken).toEqual([REPLY]);
  expect((await slow.refresh())?.writing).toBeUndefined();
});
