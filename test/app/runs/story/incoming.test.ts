import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { InboxMessage, threadKey, UserId } from '../../../../app/records/index.ts';
import { takeIncoming } from '../../../../app/runs/story/incoming.ts';
import { createShownMessages } from '../../../../app/runs/story/shown-messages.ts';
import { TakenOverError } from '../../../../app/runs/story/taken-over.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import type { Store } from '../../../../app/store/index.ts';
import { ANN, BEN, TEAM } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';
import { itemsFor, runId, THREAD as STARTED_IN, started } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

const message = (n: number, more: object = {}) =>
  InboxMessage.parse({
    thread: THREAD,
    user: BEN,
    userTeam: TEAM,
    ts: `1700000000.${`${n}`.padStart(6, '0')}`,
    text: `message ${n}`,
    ...more,
  });

it('takes a message once, however often it is delivered', async () => {
  const bot = await inProcess({ tools: [] });
  let stored = 0;
  bot.at('delivery-stored', () => (stored += 1));
  expect(await bot.core.runs.take(message(1))).toBe('taken');
  expect(await bot.core.runs.keeps(message(1))).toBe(true);
  expect(await bot.core.runs.take(message(1))).toBe('seen');
  await bot.settles();
  expect(stored).toBe(1);

  expect(bot.model.requests).toHaveLength(1);
  expect(await bot.core.runs.keeps(message(1))).toBe(false);
});

it('says of a message that it waits while the agent works, and reads no other message for that (EDGE-7)', async () => {
  const read: number[] = [];
  const around = (store: Store): Store => ({
    ...store,
    thread: async (...about) => {
      const record = await store.thread(...about);
      read.push(record.inbox.length);
      return record;
    },
  });
  const bot = await inProcess({ tools: [], around });
  bot.model.says(new Promise(() => {}));
  await bot.mention(ANN, 'greet me');
  read.length = 0;

  for (const n of [2, 3, 4, 5]) {
    await bot.core.runs.take(message(n));
    expect([await bot.core.runs.standing(THREAD), await bot.core.runs.keeps(message(n))]).toEqual(['working', true]);
  }

  expect(Math.max(...read)).toBe(1);
});

it('asks the store once for a message that is delivered twice at once, and again for one that could not be stored', async () => {
  const failures = [new Error('The store is away.')];
  let taken = 0;
  const around = (store: Store): Store => ({
    ...store,
    take: async (delivery) => {
      taken += 1;
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return store.take(delivery);
    },
  });
  const bot = await inProcess({ tools: [], around });

  const twice = await Promise.allSettled([bot.core.runs.take(message(1)), bot.core.runs.take(message(1))]);
  expect(twice).toMatchObject([{ status: 'rejected' }, { value: 'taken' }]);
  expect(taken).toBe(2);

  expect(await Promise.all([1, 1, 2, 2].map((n) => bot.core.runs.take(message(n))))).toEqual([
    'seen',
    'seen',
    'taken',
    'seen',
  ]);
  await bot.settles();
  expect(taken).toBe(4);
});

it('knows a thread from its first message on', async () => {
  const bot = await inProcess({ tools: [] });
  expect(await bot.core.runs.knows(THREAD)).toBe(false);
  await bot.core.runs.take(message(1));
  expect(await bot.core.runs.knows(THREAD)).toBe(true);
  await bot.settles();

  expect(await bot.core.runs.knows(THREAD)).toBe(true);
});

it('marks what happened in a thread once', async () => {
  const bot = await inProcess({ tools: [] });

  expect([await bot.core.runs.once(THREAD, 'x'), await bot.core.runs.once(THREAD, 'x')]).toEqual([true, false]);
  expect(await bot.core.runs.knows(THREAD)).toBe(false);
});

it('brings a message that comes while a tool works into the run before the next model call', async () => {
  let held = (_result: string) => {};
  const slow = tool('look', { ...OPEN, run: () => new Promise<string>((resolve) => (held = resolve)) });
  const bot = await inProcess({ tools: [slow] });
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look');
  await bot.mention(BEN, 'and tell Zoe');

  held('seen');
  await bot.settles();

  expect(bot.model.requests).toHaveLength(2);
  expect(bot.model.requests[1]?.messages.at(-1)?.content).toMatchObject([
    { type: 'toolResult' },
    { type: 'text', text: `<@${BEN}>: and tell Zoe` },
  ]);
  expect(bot.posts()).toEqual(['Done.']);
});

it('begins another run with a message that comes after the last answer, and names the previous run', async () => {
  const bot = await inProcess({ tools: [] });
  await bot.mention(ANN, 'hello');
  await bot.mention(BEN, 'hello again');

  const starts = (await bot.entries()).filter((entry) => entry.type === 'run-started');
  expect(starts).toMatchObject([{ requester: ANN }, { requester: BEN, earlier: { turns: 1 } }]);
  expect(bot.model.requests[1]?.messages).toHaveLength(3);
});

it('takes in more messages than one append can hold, in the order in which they were written', async () => {
  const bot = await inProcess({ tools: [] });
  const count = LIMITS.messagesAtOnce + 5;
  const stored: (() => void)[] = [];
  bot.at('delivery-stored', () => new Promise<void>((resolve) => stored.push(resolve)));
  const numbers = Array.from({ length: count }, (_, at) => count - at);
  for (const n of numbers) void bot.core.runs.take(message(n));
  await bot.settles();
  for (const goOn of stored) goOn();
  await bot.settles();

  const heard = JSON.stringify(bot.model.requests[0]?.messages);
  const order = [...heard.matchAll(/: message (\d+)/g)].map(([, n]) => Number(n));
  expect(order.length).toBe(count);
  // The run is named after the message that arrived first, so that one is among the first portion.
  expect(order.filter((n) => n !== count)).toEqual(numbers.toReversed().filter((n) => n !== count));
});

it('tells the thread and the model of a file that cannot be read', async () => {
  const bot = await inProcess({ tools: [] });
  const file = { id: 'F1', name: 'notes.txt', mimeType: 'text/plain', bytes: 3 };
  await bot.core.runs.take(message(1, { files: [file] }));
  await bot.settles();

  expect(bot.posts()).toEqual([WORDS.unread(['notes.txt is not here: notes.txt']), 'Done.']);
  expect(JSON.stringify(bot.model.requests[0]?.messages)).toContain('file that you cannot see');
});

it('shows that the agent works while the files of the first message are being read', async () => {
  const bot = await inProcess({ tools: [] });
  const readFile = () => new Promise<never>(() => {});
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, readFile } } });
  const file = { id: 'F1', name: 'notes.txt', mimeType: 'text/plain', bytes: 3 };

  await bot.core.runs.take(message(1, { files: [file] }));
  await bot.settles();

  expect(bot.thread.statuses()).toEqual(['processing']);
});

it('shows the model once what people wrote while it worked, even after a restart', async () => {
  let finish = (): void => {};
  const run = () => new Promise<string>((resolve) => (finish = () => resolve('seen')));
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run }), tool('restart')] });
  bot.model.says(call('look'), call('restart'));
  await bot.mention(ANN, 'look around');
  await bot.mention(BEN, 'and hurry');
  await bot.mention(ANN, 'and quietly');
  finish();
  await bot.settles();
  await bot.restarts();

  await bot.press(ANN, bot.card(), 'approve');
  await bot.passes(LIMITS.leaseMs);

  const shown = JSON.stringify(bot.model.requests.at(-1)?.messages);
  for (const words of ['and hurry', 'and quietly']) expect(shown.split(words)).toHaveLength(2);
  expect(bot.posts()).toEqual(['Done.']);
});

/** Ben writes while the agent works. Meanwhile, another process writes this to the run. */
async function takenMeanwhile(entry: EntryBody) {
  const store = createModelStore(testClock(1_000));
  let ids = 0;
  const open = () => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: () => 1_000 }, runId());
  const [journal, other] = [open(), open()];
  await journal.commit(() => ({ entries: [started], result: undefined }));
  await store.take({ key: 'm/2', thread: threadKey(STARTED_IN), item: JSON.stringify(message(2)) });
  const thread: Store['thread'] = async (key) => {
    const record = await store.thread(key);
    await other.commit(() => ({ entries: [entry], items: itemsFor(other.state(), [entry]), result: undefined }));
    return record;
  };
  const shownMessages = createShownMessages({ said: [] });
  const readFile = async () => expect.unreachable();
  const taken = takeIncoming({ store: { thread }, surface: { readFile }, step: () => {}, shownMessages }, journal);
  return taken.finally(async () => {
    expect((await store.read(runId())).version).toBe(2);
  });
}

it('leaves the run to another process that has brought a message into it meanwhile', async () => {
  const said = { type: 'person-said', key: 'm/2', user: UserId.parse(BEN), item: 0 } as const;

  await expect(takenMeanwhile(said)).rejects.toThrow(TakenOverError);
});

it('brings no message into a run that was stopped meanwhile', async () => {
  expect(await takenMeanwhile({ type: 'run-stopped', cause: 'Enough.' })).toEqual([]);
});
