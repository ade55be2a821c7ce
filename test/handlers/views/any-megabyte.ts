import fc from 'fast-check';
import { amountOf } from '../../support/amount.ts';

/** Megabytes of any Unicode, made quickly from a seed: what a generator would build sign by sign takes too long. */

const MEGABYTE = 1_000_000;

/** Which signs come, each as a function of a number from 0 to 1. */
const SIGNS: readonly ((at: number) => string)[] = [
  // Any code unit, so mostly lone surrogates and rare scripts.
  (at) => String.fromCharCode(Math.floor(at * 0x1_0000)),
  (at) => String.fromCodePoint(Math.floor(at * 0x11_0000)),
  (at) => String.fromCharCode(0x20 + Math.floor(at * 95)),
  (at) => String.fromCharCode(0xd800 + Math.floor(at * 0x800)),
  (at) => String.fromCharCode(0x300 + Math.floor(at * 0x70)),
  (at) => String.fromCharCode(Math.floor(at * 0x20)),
  (at) => pick(at, ['\u200B', '\u202E', '\u2066', '\uFEFF', '\u00AD', '\u3164', '\u2800', '\u{E0041}', '\u{1D159}']),
  (at) => pick(at, ['<!channel>', '<@U0ANN00001>', '<https://evil.example|good>', '*', '`', '~', '_', '&', '<', '>']),
  (at) => pick(at, ['\n', '\r\n', '\t', ' ', '  ', '\u2028', '\\', '\\u{', '}', '"', '\\u{200B}']),
  (at) => pick(at, ['😀', '👨‍👩‍👧', '🇩🇪', 'ᄀᄀᄀ', 'e\u0301', 'نص', 'शब्द']),
];

const pick = (at: number, from: readonly string[]): string => from[Math.floor(at * from.length)] ?? '';

/** One seed is one text: the classes of signs in it change every few of them. */
export function textOf(seed: number, chars: number): string {
  const next = numbers(seed);
  const only = SIGNS.filter(() => next() < 0.5);
  const signs = only.length === 0 ? SIGNS : only;
  const found: string[] = [];
  for (let length = 0; length < chars; ) {
    const sign = signs[Math.floor(next() * signs.length)]?.(next()) ?? '';
    found.push(sign);
    length += sign.length;
  }
  return found.join('').slice(0, chars);
}

function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Every shape a JSON text may have that is as long as this: one string, many members, long names, very deep, many numbers. */
export const SHAPES: readonly ((seed: number, chars: number) => string)[] = [
  (seed, chars) => JSON.stringify({ text: textOf(seed, Math.floor(chars / 2)) }),
  (seed, chars) => JSON.stringify(textOf(seed, Math.floor(chars / 2))),
  (seed, chars) =>
    JSON.stringify(Object.fromEntries(slices(textOf(seed, chars >> 1), 40).map((part, at) => [part, at]))),
  (seed, chars) => JSON.stringify(slices(textOf(seed, chars >> 1), 3)),
  (_seed, chars) => '['.repeat(chars >> 1) + ']'.repeat(chars >> 1),
  (seed, chars) => `{"a":${'{"b":'.repeat(chars >> 3)}${JSON.stringify(textOf(seed, 10))}${'}'.repeat(chars >> 3)}}`,
  (_seed, chars) => `[${'1,'.repeat(chars >> 1)}1]`,
  (seed, chars) => JSON.stringify({ [textOf(seed, chars >> 2)]: true, service: 'payments' }),
  // No JSON at all: what a view is given is not for it to trust.
  (seed, chars) => textOf(seed, chars),
];

function slices(text: string, most: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / most) }, (_, at) => text.slice(at * most, (at + 1) * most));
}

const seed = fc.nat(0x7fff_ffff);

/** A megabyte takes long to lay out: `npm run prove` tries them, and `SOAK` many of them. */
const LONGEST = amountOf({ test: 70_000, prove: MEGABYTE, soak: MEGABYTE });
const lengths = (...all: readonly number[]) => fc.constantFrom(...all.filter((chars) => chars <= LONGEST));

export const longInput = fc
  .tuple(fc.nat(SHAPES.length - 1), seed, lengths(MEGABYTE, 300_000, 70_000, 20_000))
  .map(([shape, from, chars]) => (SHAPES[shape] ?? textOf)(from, chars));

export const anyTool = fc.oneof(
  fc.constantFrom('restart_service', 'x'.repeat(128), 'a'.repeat(10_000)),
  fc.tuple(seed, fc.constantFrom(1, 40, 128, 5_000)).map(([from, chars]) => textOf(from, chars)),
);

export const anyWords = fc
  .tuple(seed, lengths(0, 3, 200, 5_000, MEGABYTE >> 2))
  .map(([from, chars]) => textOf(from, chars));
