import { expect, it } from 'vitest';
import { createLanes } from '../../../handlers/sender/lanes.ts';
import { policyOf } from '../../../handlers/sender/rates.ts';

const POST = policyOf('chat.postMessage');
const MANY = 100;

/** The lanes of a sender at a time, of which the first has just been used. */
function used() {
  let nowMs = 0;
  const laneOf = createLanes(() => nowMs);
  const first = laneOf('first', POST);
  first.sent(nowMs);
  return { laneOf, first, passes: (ms: number) => (nowMs += ms) };
}

it('the sender forgets an idle lane once it has many others (SURF-3)', () => {
  const { laneOf, first, passes } = used();
  passes(60_000);
  for (let other = 1; other < MANY; other += 1) laneOf(`other ${other}`, POST);
  expect(laneOf('first', POST)).toBe(first);

  laneOf('one more', POST);

  expect(laneOf('first', POST)).not.toBe(first);
});

it('the sender keeps a lane in use however many others it has, so that no call is sent too soon (SURF-3)', () => {
  const { laneOf, first } = used();

  for (let other = 1; other < 3 * MANY; other += 1) laneOf(`other ${other}`, POST);

  expect(laneOf('first', POST)).toBe(first);
});
