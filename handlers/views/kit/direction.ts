/**
 * A letter that is written from right to left draws the numbers, signs and such letters behind it to its left. So a short list
 * looks like another one: `["A 10", "20"]` with a Hebrew letter for the A is drawn as `["20" ,"10 A"]`.
 */
export function isTurned(text: string): boolean {
  return TURNED.test(text);
}

export const TURNED_NOTE =
  'Letters from right to left: numbers and texts beside them may stand in another order than in the call.';

const LETTER = '(?=\\p{L})[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFF\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}]';
/**
 * Such a letter, and behind it a number, or another such letter in another text, with no other letter between them. Two Arabic
 * numbers turn what stands between them as well.
 */
const TURNED = new RegExp(
  `${LETTER}(?:[^\\p{L}]*\\p{Nd}|[^\\p{L}"]*"[^\\p{L}]*${LETTER})|[\\u0660-\\u0669][^\\p{L}\\p{Nd}]+[\\u0660-\\u0669]`,
  'u',
);
