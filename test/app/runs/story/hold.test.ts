import { expect, it } from 'vitest';
import { createHold } from '../../../../app/runs/story/hold.ts';

it('parks a run whose process is told to stop at its next safe point, or as soon as it waits for people', () => {
  const [works, waits] = [createHold(() => 0), createHold(() => 0)];
  for (const hold of [works, waits]) hold.letGoSoon();
  expect([works, waits].map(({ signal }) => signal.aborted)).toEqual([false, false]);

  works.atSafePoint();
  waits.waits();

  expect([works, waits].map(({ signal }) => signal.reason)).toEqual(['parked', 'parked']);
  expect([works, waits].map(({ stopped }) => stopped.aborted)).toEqual([false, false]);
});

it('parks a run at once that only waits when its process is told to stop, and no run that has to stay', () => {
  const [leaves, stays] = [createHold(() => 0), createHold(() => 0)];
  for (const hold of [leaves, stays]) hold.waits();

  leaves.letGoSoon();
  stays.atSafePoint();

  expect([leaves, stays].map(({ signal }) => signal.aborted)).toEqual([true, false]);
});

it('says since when a run has only waited, until its last question is answered', () => {
  let nowMs = 5;
  const hold = createHold(() => nowMs);
  const first = hold.waits();
  nowMs = 9;
  const second = hold.waits();

  first();
  expect(hold.waitingSinceMs()).toBe(5);
  second();

  expect(hold.waitingSinceMs()).toBeUndefined();
});

it('makes the tools of a run give up only when the run is stopped', () => {
  const hold = createHold(() => 0);

  hold.letGo('cancelled');

  expect([hold.signal.reason, hold.stopped.reason]).toEqual(['cancelled', 'cancelled']);
});

it('goes on with an answer when no other process can have the run, and checks when one can', async () => {
  expect(await createHold(() => 0).resumes()).toBe(true);
  expect(
    await createHold(
      () => 0,
      async () => false,
    ).resumes(),
  ).toBe(false);
});
