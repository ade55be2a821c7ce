import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { CardReceipt } from '../../../app/records.ts';
import { openRunJournal } from '../../../app/run-journal.ts';
import { createWriting, dropWriting } from '../../../app/runs/writing.ts';
import { runId, started, THREAD } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { handTimers } from '../../support/scripted-model.ts';

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

it('D12 takes a reply back that came to stand there after another process had gone on without it', async () => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const open = async () => {
    const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
    if ((await journal.refresh()) === undefined)
      await journal.commit(() => ({ entries: [started], items: ['{}'], result: undefined }));
    return journal;
  };
  const [slow, other] = [await open(), await open()];
  const [timers, taken] = [handTimers(), [] as (CardReceipt | undefined)[]];
  const opened = { channel: THREAD.channel, ts: '2' };
  let arrives: (card: CardReceipt) => void = quiet;
  const surface = {
    beginReply: () => new Promise<CardReceipt>((resolve) => (arrives = resolve)),
    growReply: async () => {},
    dropReply: async (_thread: unknown, card: CardReceipt | undefined) => void taken.push(card),
  };
  const writing = createWriting({ surface, timers, log, step: quiet, summarise: ({ name }) => name }, slow);

  writing.show({ type: 'text', text: 'I am' });
  timers.pass(1_000);
  await expect.poll(() => arrives).not.toBe(quiet);
  await other.refresh();
  await dropWriting(surface, other);
  arrives(opened);
  await writing.end();

  expect(taken).toEqual([undefined, opened]);
  expect((await slow.refresh())?.writing).toBeUndefined();
});
