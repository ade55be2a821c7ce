import { expect, it } from 'vitest';
import { AMOUNT, amountOf } from '../support/amount.ts';
import { type Told, tell } from './story.ts';
import type { World } from './world.ts';

/* The real parts that decide, with everything around them simulated. The same stories each time, except for `npm run soak`. */
const STORIES = amountOf({ test: 1_000, prove: 10_000, soak: 10_000 });
/** `SIMULATION_SEED` tells one of them again, and prints how it went. */
const WISHED = process.env.SIMULATION_SEED;
const FIRST = Number(WISHED ?? (AMOUNT === 'soak' ? Date.now() % 2 ** 31 : 1));
/**
 * Stories in which a promise was broken once, told in each build: a process stood still before it posted or began a reply,
 * and whoever took over died before it wrote that it had; a card came to stand there while another process looked for it; a
 * wait ended after its run was stopped, and said that the agent works.
 */
const FOUND = [52_219_196, 53_978_702, 54_351_985, 71_435_882];

it('hold whatever dies, stands still, is lost or comes twice (D1, D2, D3, D4, D5, D6, D7, D8, D9, D12, P29)', {
  timeout: 3_600_000,
}, async () => {
  const seeds =
    WISHED === undefined ? [...FOUND, ...Array.from({ length: STORIES }, (_, index) => FIRST + index)] : [FIRST];
  const told: Omit<Told, 'trace'>[] = [];
  for (const seed of seeds) {
    const { trace, ...one } = await tell(seed);
    told.push(one);
    if (WISHED !== undefined) process.stdout.write(`${trace.join('\n')}\n`);
  }

  const sum = (of: (one: Omit<Told, 'trace'>) => number) => told.reduce((total, one) => total + of(one), 0);
  process.stdout.write(
    `Simulation: ${told.length} stories from seed ${FIRST}, ${sum(({ steps }) => steps)} steps, ` +
      `${sum(({ crashes }) => crashes)} deaths, ${sum(({ pauses }) => pauses)} pauses, ` +
      `${sum(({ begun }) => begun)} calls begun, ${sum((one) => one.told)} people told directly\n`,
  );
  expect(told.flatMap(({ broken }, index) => broken.map((what) => `seed ${seeds[index]}: ${what}`))).toEqual([]);
  if (WISHED !== undefined) return;
  // Nothing is proved by stories in which nothing happens.
  expect(sum(({ begun }) => begun)).toBeGreaterThan(told.length / 2);
  expect(sum((one) => one.told)).toBeGreaterThanOrEqual(Math.floor(told.length / 20));
});

it.each<[string, (world: World) => void]>([
  [
    'an append that is let in at any version',
    ({ store: { facts } }) => {
      const { append } = facts;
      facts.append = async (request) =>
        append({ ...request, expectedVersion: (await facts.read(request.journal)).version });
    },
  ],
  [
    'a delivery that is taken as often as it comes',
    ({ store: { facts } }) => {
      const { take } = facts;
      let times = 0;
      facts.take = (delivery) => {
        times += 1;
        return take({ ...delivery, key: `${delivery.key}#${times}` });
      };
    },
  ],
])('and would find %s', { timeout: 120_000 }, async (_what, spoil) => {
  const told: Told[] = [];
  for (let seed = 1; seed <= 20; seed += 1) told.push(await tell(seed, spoil));

  expect(told.flatMap(({ broken }) => broken)).not.toEqual([]);
});
