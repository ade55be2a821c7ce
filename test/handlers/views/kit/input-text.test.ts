import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownInput, shownText } from '../../../../handlers/views/kit/input-text.ts';
import { runsOf } from '../../../support/amount.ts';
import { hostileText, input, json } from '../hostile.ts';

describe('an input', () => {
  it('a small, flat input is a list of two columns', () => {
    expect(shownInput('{"graceful":true,"service":"payments"}')).toEqual({
      type: 'pairs',
      pairs: [
        { name: 'graceful', value: 'true' },
        { name: 'service', value: 'payments' },
      ],
    });
  });

  it('a text that could be taken for another kind of value is shown in quotes (P26)', () => {
    expect(shownInput('{"a":"true"}')).toEqual({ type: 'pairs', pairs: [{ name: 'a', value: '"true"' }] });
    expect(shownInput('{"a":true}')).toEqual({ type: 'pairs', pairs: [{ name: 'a', value: 'true' }] });
  });

  it.each([
    ['blanks at an end', '{"a":"x "}'],
    ['two blanks in a row', '{"a":"x  y"}'],
    ['a line break', '{"a":"x\\ny"}'],
    ['something invisible', '{"a":"x\u200By"}'],
    ['a name that is no word', '{"*a*":"x"}'],
    ['something inside something', '{"a":{"b":1}}'],
    ['nothing', '{}'],
    ['the same name twice', '{"a":1,"a":2}'],
    ['more than five members', '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}'],
  ])('an input is shown letter for letter when it holds %s', (_what, text) => {
    expect(shownInput(text).type).toBe('text');
  });

  it('an input is laid out one member to a line', () => {
    expect(shownText('{"a":[1,{"b":"x, y"}],"c":{},"d":[]}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x, y"\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it('an input is the shown text without the added blanks', () => {
    fc.assert(
      fc.property(json, (text) => {
        const shown = shownText(text);
        const raw = shown.replace(/\\u\{([0-9A-F]+)\}/g, (_all, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
        const read: unknown = JSON.parse(raw);
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('the beginning of a long input on a card is how the whole input begins (P26, EDGE-7)', () => {
    fc.assert(
      fc.property(json, fc.nat(400), (text, upTo) => {
        const [begin, whole] = [shownText(text, upTo), shownText(text)];
        // The last sign may be the beginning of an empty list, of an escape, or of the end of one.
        const sure = begin.slice(0, Math.max(0, begin.trimEnd().length - 16));
        expect(whole.startsWith(sure)).toBe(true);
        expect(begin.length).toBeLessThanOrEqual(whole.length + 16);
      }),
    );
  });

  it('an input never looks like another one (P26)', () => {
    const mutated = fc.tuple(input, hostileText, fc.nat(), fc.nat(3)).map(([text, more, at, gone]) => {
      const start = at % (text.length + 1);
      return [text, text.slice(0, start) + more + text.slice(start + gone)] as const;
    });
    const asShown = input.map((text) => [text, shownText(text)] as const);
    fc.assert(
      fc.property(fc.oneof(mutated, asShown, fc.tuple(input, input)), ([one, other]) => {
        fc.pre(one !== other);
        expect(shownText(one) === shownText(other)).toBe(false);
        expect(JSON.stringify(shownInput(one)) === JSON.stringify(shownInput(other))).toBe(false);
      }),
      { numRuns: runsOf(300) },
    );
  });

  it('an input looks different from the same input with another layout (P26)', () => {
    expect(shownText('{"a":1}')).not.toBe(shownText('{\n  "a": 1\n}'));
  });
});
