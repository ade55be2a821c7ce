import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownInSteps } from '../../../../handlers/views/kit/input-text.ts';
import { visible, visibleInSteps } from '../../../../handlers/views/kit/text.ts';
import { hostileText } from '../hostile.ts';

/** All that is drawn, and how often other work had its turn meanwhile. */
function drawn<Drawn>(drawing: Generator<void, Drawn>): { readonly shown: Drawn; readonly turns: number } {
  for (let turns = 0; ; turns += 1) {
    const step = drawing.next();
    if (step.done === true) return { shown: step.value, turns };
  }
}

it('a text that is read piece by piece shows the same, wherever a piece ends (P26, EDGE-7)', () => {
  const marks = fc.array(
    fc.constantFrom('\u0301', '\u{1E8D0}', '\u034F', 'a', '\\u{41}', '\\', 'u{', '\uD800', '\uDC00', '😀'),
  );
  const text = fc.oneof(
    hostileText,
    marks.map((signs) => signs.join('')),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 3, max: 9 }), (given, chars) => {
      expect(drawn(visibleInSteps(given, chars)).shown).toBe(visible(given));
    }),
  );
});

it('a piece that ends before half a character leaves the whole one in front of it whole (P26, EDGE-7)', () => {
  expect(drawn(visibleInSteps('aaaaa😀\uDC00', 7)).shown).toBe('aaaaa😀\\u{DC00}');
});

it.each([
  ['marks', JSON.stringify({ text: '\u0301\u0302'.repeat(220_000) })],
  ['short lines', JSON.stringify(Array.from({ length: 4_900 }, () => 'a\u200B'.repeat(40)))],
])('a full view of %s gives other work a turn at least after each 40,000 characters (EDGE-7)', (_what, json) => {
  expect(drawn(shownInSteps(json)).turns).toBeGreaterThanOrEqual(json.length / 40_000 - 1);
});

it('an input of the usual size is shown in one step (EDGE-7)', () => {
  expect(drawn(shownInSteps('{"service":"payments","reason":"\u200B"}')).turns).toBe(0);
});
