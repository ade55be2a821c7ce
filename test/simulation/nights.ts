import { expect, it } from 'vitest';
import { AMOUNT, amountOf } from '../support/amount.ts';
import { type Told, tell } from './story.ts';

/* The real parts that decide, with everything around them simulated. The same stories each time, except for `npm run soak`. */

/** The nights are split over four files, so that each core has a share. */
const FILES = 4;
const STORIES = 2_500;
/** `npm test` tells this many stories of the first two files, and `npm run prove` the rest. */
const TOLD_BEFORE = 500;
/** `SIMULATION_SEED` tells one of them again, and prints how it went. */
const WISHED = process.env.SIMULATION_SEED;
const FIRST = Number(WISHED ?? (AMOUNT === 'soak' ? Date.now() % 2 ** 31 : 1));
/**
 * Stories that once broke a promise. Each build tells them. A process stood still before it posted or began a reply,
 * and the process that took over died before it recorded that; a card was posted while another process searched for it; a
 * wait ended after its run was stopped, and showed the status that the agent works; a thread was left without the run that had
 * just begun in it; a process that had stood still ended a run while another one set its thread aside, and the status said
 * for ever that the thread waits; the answer to a stop was lost, and the thread was not told that it was left.
 */
const FOUND = [
  ...[52_219_196, 53_978_702, 54_351_985, 71_435_882, 608_813_708],
  ...[608_675_642, 611_189_059, 608_345_970],
];

/** The stories of one file: every fourth, and one of those that once broke a promise. */
export function tellNights(file: 1 | 2 | 3 | 4): void {
  it(`wild nights of file ${file} keep every promise, whatever dies, pauses, is lost or comes twice (D1, D2, D3, D4, D5, D6, D7, D8, D9, D12, P29)`, async () => {
    const seeds = WISHED === undefined ? seedsOf(file) : [FIRST];
    const told: Omit<Told, 'trace'>[] = [];
    for (const seed of seeds) {
      const { trace, ...one } = await tell(seed);
      told.push(one);
      if (WISHED !== undefined) process.stdout.write(`${trace.join('\n')}\n`);
    }

    const sum = (of: (one: Omit<Told, 'trace'>) => number) => told.reduce((total, one) => total + of(one), 0);
    process.stdout.write(
      `Simulation: ${told.length} stories from seed ${seeds[1] ?? FIRST}, ${sum(({ steps }) => steps)} steps, ` +
        `${sum(({ crashes }) => crashes)} deaths, ${sum(({ pauses }) => pauses)} pauses, ` +
        `${sum(({ begun }) => begun)} calls begun, ${sum((one) => one.told)} people told directly\n`,
    );
    expect(told.flatMap(({ broken }, index) => broken.map((what) => `seed ${seeds[index]}: ${what}`))).toEqual([]);
    if (WISHED !== undefined) return;
    // Stories without events would prove nothing.
    expect(sum(({ begun }) => begun)).toBeGreaterThan(told.length / 2);
    expect(sum((one) => one.told)).toBeGreaterThanOrEqual(Math.floor(told.length / 20));
  });
}

function seedsOf(file: number): readonly number[] {
  const every = Array.from({ length: STORIES }, (_, index) => FIRST + index * FILES + file - 1);
  const told = file > 2 ? 0 : TOLD_BEFORE;
  const now = amountOf({ test: every.slice(0, told), prove: every.slice(told), soak: every });
  return [...FOUND.filter((_, at) => at % FILES === file - 1), ...now];
}
