import { describe, expect, it } from 'vitest';
import { EntryBody } from '../../../../app/journal/facts/entries.ts';
import {
  findBreak,
  hashLine,
  itemHashesIn,
  NewerEntryError,
  NO_HEAD,
  readLine,
  writeLines,
} from '../../../../app/journal/line/line.ts';
import { asked, started, turn } from '../../../support/journal.ts';

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

  it.each([
    ['of a newer format', '"v":1', '"v":2', 'an entry of format 2, and this version reads up to 1'],
    ['of a newer format in another shape', '"v":1,"id"', '"v":2,"name"', 'an entry of format 2'],
    ['of a kind that it does not know', 'run-started', 'run-dreamt', "an entry of the kind 'run-dreamt'"],
  ])('refuses an entry %s, and says what to do (FN4)', (_kind, find, put, says) => {
    const newer = (texts[0] ?? '').replace(find, put);

    expect(() => readLine(EntryBody, newer)).toThrow(NewerEntryError);
    expect(() => readLine(EntryBody, newer)).toThrow(says);
    expect(() => readLine(EntryBody, newer)).toThrow('update this one');
  });

  it('holds in its first line the hashes of the items that were appended with it (EDGE-2)', () => {
    const [first, second] = writeLines(stamped, NO_HEAD, { from: 3, texts: ['hello', 'you'] }).lines;

    expect(itemHashesIn(first?.text ?? '')).toEqual({ from: 3, hashes: [hashLine('hello'), hashLine('you')] });
    expect(itemHashesIn(second?.text ?? '')).toBeUndefined();
    expect(readLine(EntryBody, first?.text ?? '').entry).toEqual(stamped[0]);
  });

  it('passes over a field that it does not know (FN4)', () => {
    const more = (texts[0] ?? '').replace('"type":"run-started"', '"type":"run-started","mood":"hopeful"');

    expect(readLine(EntryBody, more).entry).toEqual(stamped[0]);
  });

  it('reports an invalid entry as damage, and not as written by a newer version', () => {
    const damaged = (texts[0] ?? '').replace('"requester"', '"asker"');

    expect(() => readLine(EntryBody, damaged)).toThrow();
    expect(() => readLine(EntryBody, damaged)).not.toThrow(NewerEntryError);
  });
});
