import { describe, expect, it } from 'vitest';
import { EntryBody } from '../../../app/journal/entries.ts';
import { findBreak, NewerEntryError, NO_HEAD, readLine, writeLines } from '../../../app/journal/line.ts';
import { asked, started, turn } from '../../support/journal.ts';

const stamped = [started, turn(1, 'a'), asked()].map((entry, n) => ({ ...entry, id: `e${n}`, atMs: n }));
const texts = writeLines(stamped, NO_HEAD).lines.map(({ text }) => text);

describe('a journal', () => {
  it('reads back what was written', () => {
    expect(texts.map((text) => readLine(EntryBody, text).entry)).toEqual(stamped);
  });

  it('goes on from the hash of its last line', () => {
    const [first, ...rest] = stamped;
    const head = writeLines(first === undefined ? [] : [first], NO_HEAD);

    expect(writeLines(rest, head.head).lines.map(({ text }) => text)).toEqual(texts.slice(1));
  });

  it('shows where a line was removed, moved or changed', () => {
    expect(findBreak(texts)).toBeUndefined();
    expect(findBreak(texts.toSpliced(1, 1))).toBe(1);
    expect(findBreak([...texts].reverse())).toBe(0);
    expect(findBreak(texts.with(0, (texts[0] ?? '').replace('ANN', 'EVE')))).toBe(1);
  });

  it('FN4 refuses an entry of a newer version in words, and an unknown kind', () => {
    const newer = (texts[0] ?? '').replace('"v":1', '"v":2');

    expect(() => readLine(EntryBody, newer)).toThrow(NewerEntryError);
    expect(() => readLine(EntryBody, newer)).toThrow('update this one');
    expect(() => readLine(EntryBody, (texts[0] ?? '').replace('run-started', 'run-dreamt'))).toThrow();
  });
});
