import { expect, it } from 'vitest';
import { dyingAt, STEPS } from '../../app/step.ts';

it('dies at the step that was named, and at no other', () => {
  const deaths: string[] = [];
  let reached = '';
  const step = dyingAt('call-asked', () => void deaths.push(reached));
  for (const { name } of STEPS) {
    reached = name;
    step(name);
  }
  expect(deaths).toEqual(['call-asked']);
});

it('dies the second time it reaches a step when that was requested', () => {
  let deaths = 0;
  const step = dyingAt('post-sent:2', () => {
    deaths += 1;
  });
  step('post-sent');
  expect(deaths).toBe(0);
  step('post-sent');
  step('post-sent');
  expect(deaths).toBe(1);
});

it('keeps the caller at that step while dying takes its time', async () => {
  const step = dyingAt('call-asked', () => new Promise(() => {}));
  const passed: string[] = [];
  for (const name of ['call-asked', 'call-asked', 'card-begun'] as const)
    void Promise.resolve(step(name)).then(() => passed.push(name));
  await new Promise(setImmediate);
  expect(passed).toEqual(['card-begun']);
});

it('refuses a name that is no step', () => {
  expect(() => dyingAt('call-startet', () => {})).toThrow('app/step.ts lists them');
});

it('names each step once, with a sentence', () => {
  expect(new Set(STEPS.map(({ name }) => name)).size).toBe(STEPS.length);
  expect(STEPS.filter(({ says }) => !/^[A-Z].*\.$/.test(says))).toEqual([]);
});
