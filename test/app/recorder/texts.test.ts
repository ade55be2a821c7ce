import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { keepTexts } from '../../../app/recorder/texts.ts';

const texts = { input: '{"pin":"1234"}', shown: '{"pin":"[hidden]"}' };

it('a short input is stored in its entry, and so is the input as people are shown it', () => {
  expect(keepTexts({ items: 3 }, texts)).toEqual({
    refs: { input: { text: texts.input }, shown: { text: texts.shown } },
    items: [],
  });
});

it('a long input is stored as an item, and its entry holds the position', () => {
  const input = 'x'.repeat(LIMITS.inlineInputChars + 1);

  expect(keepTexts({ items: 3 }, { input, shown: undefined })).toEqual({
    refs: { input: { at: 3 } },
    items: [input],
  });
});
