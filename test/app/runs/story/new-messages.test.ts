import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import type { InboxMessage } from '../../../../app/records/index.ts';
import { firstPortion, type InboxEntry, inOrder, portionOf } from '../../../../app/runs/story/new-messages.ts';
import { THREAD, user } from '../../../support/journal.ts';

function entry(ts: string, files = 0, bytes: number | 'unknown' = 1): InboxEntry {
  const file = { id: 'F1', name: 'log.txt', ...(bytes === 'unknown' ? {} : { bytes }) };
  const message: InboxMessage = {
    thread: THREAD,
    user: user('ANN'),
    ts,
    text: ts,
    ...(files === 0 ? {} : { files: Array.from({ length: files }, () => file) }),
  };
  return { key: `m/T1/C1/${ts}`, message };
}

const timesOf = (entries: readonly InboxEntry[]) => entries.map(({ message }) => message.ts);
const written = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => entry(`1795251650.${`${from + index}`.padStart(6, '0')}`));

describe('messages that wait together (D8)', () => {
  it('are heard in the order in which they were written, however they were delivered', () => {
    const [one, two, three] = ['1795251649.000100', '1795251650.000050', '1795251650.000300'];

    expect(timesOf(inOrder([entry(three), entry(one), entry(two)]))).toEqual([one, two, three]);
  });

  it('from a button or a form come after everything that was there before', () => {
    const [early, late] = ['1795251650.000100', '1795251650.000200'];

    const ordered = inOrder([entry('again:x'), entry(late), entry('ask:y'), entry(early)]);

    expect(timesOf(ordered)).toEqual(['again:x', early, late, 'ask:y']);
  });

  it('come into a run in portions', () => {
    const many = written(1, 2 * LIMITS.messagesAtOnce + 10);

    expect(portionOf(many)).toEqual(many.slice(0, LIMITS.messagesAtOnce));
    expect(portionOf(many.slice(2 * LIMITS.messagesAtOnce))).toEqual(many.slice(2 * LIMITS.messagesAtOnce));
  });

  it('bring no more files at once than one message may have, and each message comes whole', () => {
    const [one, two, three] = [entry('1.1', 5), entry('1.2', 3), entry('1.3', 1)];
    const full = entry('1.0', LIMITS.filesPerMessage + 9);

    expect(portionOf([one, two, three])).toEqual([one, two]);
    expect(portionOf([full, one])).toEqual([full]);
  });

  it('bring no more bytes of files at once than one message may have, also where Slack does not say how many (EDGE-7)', () => {
    const [half, other] = [entry('1.1', 1, LIMITS.filesBytes / 2), entry('1.2', 1, LIMITS.filesBytes / 2)];
    const [small, unknown] = [entry('1.3', 1), entry('1.4', 1, 'unknown')];

    expect(portionOf([half, other, small])).toEqual([half, other]);
    expect(portionOf([unknown, small])).toEqual([unknown]);
    expect(portionOf([small, unknown])).toEqual([small]);
  });
});

describe('the beginning of a run', () => {
  it('takes everything that waits when it is little, whether the first message arrived first or not', () => {
    const [first, second] = [entry('1.1'), entry('1.2')];

    expect(firstPortion([first, second])).toEqual([first, second]);
    expect(firstPortion([second, first])).toEqual([first, second]);
  });

  it('takes the message that was written first, not the one that was delivered first', () => {
    const [first, second] = [entry('1.1', 5), entry('1.2', 5)];

    expect(firstPortion([second, first])).toEqual([first, second]);
  });

  it('always takes the message that arrived first, which names the run, even behind many older ones', () => {
    const older = written(1, 3 * LIMITS.messagesAtOnce);
    const newest = entry('1795251651.000100');

    const portion = firstPortion([newest, ...older]);

    expect(portion).toEqual([...older.slice(0, LIMITS.messagesAtOnce - 1), newest]);
  });
});
