/** Numbers that look random and follow from a seed. */
export interface Chance {
  /** A whole number from 0 to `end - 1`. */
  readonly below: (end: number) => number;
  readonly happens: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined;
}

/** Mulberry32: small, and good enough to choose what happens next. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { below, happens: (probability) => next() < probability, pick: (items) => items[below(items.length)] };
}
