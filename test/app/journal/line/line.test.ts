import { describe, expect, it } from 'vitest';
import { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { itemsOf } from '../../../../app/journal/facts/items.ts';
import {
  findBreak,
  hashLine,
  itemHashesIn,
  NewerEntryError,
  type NewItems,
  NO_HEAD,
  readLine,
  writeLines,
} from '../../../../app/journal/line/line.ts';
import { approvalId, asked, OWN_RULE, started, turn, user } from '../../../support/journal.ts';

const SAID = { type: 'person-said', key: 'm1', user: user('ANN') } as const;
const DOUBT = {
  type: 'doubt-asked',
  doubt: approvalId(3),
  call: '1/a',
  tool: 'deploy',
  summary: 'Deploy.',
  digest: 'd1',
  effect: 'asked',
  rule: OWN_RULE,
  expiresAtMs: 1,
} as const;
const stamp = (entry: EntryBody, n: number) => ({ ...entry, id: `e${n}`, atMs: n });
const linesOf = (entries: readonly EntryBody[], items: Pick<NewItems<EntryBody>, 'from' | 'texts'>) =>
  writeLines<EntryBody>(entries.map(stamp), NO_HEAD, { ...items, of: itemsOf }).lines.map(({ text }) => text);

const stamped = [started, turn(1, 'a'), asked()].map(stamp);
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

  it('holds in each line the hashes of the items to which its entry refers (EDGE-2)', () => {
    const approval = approvalId(2);
    const edit = { input: { at: 6 }, shown: { at: 7 }, digest: 'd2', summary: 'Deploy.' };
    const entries: readonly EntryBody[] = [
      started,
      { ...SAID, item: 3 },
      { type: 'guided', item: 1 },
      asked({ approval, input: { at: 4 }, shown: { at: 5 } }),
      { type: 'call-decided', approval, verdict: 'approve', by: user('ANN'), edit },
      { ...DOUBT, input: { at: 8 } },
    ];
    const written = linesOf(entries, { from: 3, texts: ['3', '4', '5', '6', '7', '8'] });

    expect(written.map(itemHashesIn)).toEqual([
      undefined,
      { from: 3, hashes: [hashLine('3')] },
      undefined,
      { from: 4, hashes: [hashLine('4'), hashLine('5')] },
      { from: 6, hashes: [hashLine('6'), hashLine('7')] },
      { from: 8, hashes: [hashLine('8')] },
    ]);
    expect(findBreak(written)).toBeUndefined();
    expect(written.map((text) => readLine(EntryBody, text).entry)).toEqual(entries.map(stamp));
  });

  it('takes no item to which no entry refers, whose hash no line would hold (EDGE-2)', () => {
    const write = () => linesOf([started, { ...SAID, item: 3 }], { from: 3, texts: ['3', '4'] });

    expect(write).toThrow('no entry of it refers to its item 4. Nothing was written');
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
