import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { keepTexts } from '../../../app/recorder/texts.ts';

const texts = { input: '{"pin":"1234"}', shown: '{"pin":"[hidden]"}' };

it('a short input stands in its entry, and so does the input as people are shown it', () => {
  expect(keepTexts({ items: 3 }, texts, false)).toEqual({
    refs: { input: { text: texts.input }, shown: { text: texts.shown } },
    items: [],
  });
});

it('a long input is an item, and its entry holds the position', () => {
  const input = 'x'.repeat(LIMITS.inlineInputChars + 1);

  expect(keepTexts({ items: 3 }, { input, shown: undefined }, false)).toEqual({
    refs: { input: { at: 3 } },
    items: [input],
  });
});

it('where items are encrypted, no input stands in an entry, however short and as whatever people are shown (T16)', () => {
  expect(keepTexts({ items: 3 }, texts, true)).toEqual({
    refs: { input: { at: 3 }, shown: { at: 4 } },
    items: [texts.input, texts.shown],
  });
});
