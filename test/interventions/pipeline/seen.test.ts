import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BeforeToolCallEvent,
  canonicalCall,
  createPipeline,
  type Json,
  proceed,
} from '../../../interventions/index.ts';
import { runsOf } from '../../support/amount.ts';
import { callEvent } from '../../support/event.ts';

/** How often a gate is asked about a call whose input a later handler replaces by another one. */
async function timesAsked(before: unknown, after: unknown): Promise<number> {
  let times = 0;
  const gate = { name: 'gate', gate: true, beforeToolCall: () => (++times > 0 ? proceed() : proceed()) };
  const later = {
    name: 'later',
    beforeToolCall: (event: BeforeToolCallEvent) => {
      event.toolUse.input = after as Json;
      return proceed();
    },
  };
  const event = callEvent({ toolUse: { type: 'toolUse', toolUseId: 'c-1', name: 't', input: before as Json } });
  await createPipeline({ handlers: [gate, later], timers: { after: () => () => {} } }).consult(event);
  return times;
}

const differ = (one: unknown, other: unknown) =>
  canonicalCall({ name: 't', input: one }) !== canonicalCall({ name: 't', input: other });

/** Few values, so that two of them are often almost the same. */
const few = fc.constantFrom<unknown>(0, -0, 1, '1', '', null, undefined, true, Number.NaN, 1n);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    few,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
}));

describe('a gate is asked again', () => {
  it('exactly when the text of the call has changed (BEY-22)', async () => {
    const inputs = fc.oneof(value, fc.anything({ withDate: true, withMap: true, withNullPrototype: true }));
    await fc.assert(
      fc.asyncProperty(inputs, inputs, async (before, after) => {
        expect(await timesAsked(before, after)).toBe(differ(before, after) ? 2 : 1);
      }),
      { numRuns: runsOf(10_000) },
    );
  });

  const nested = (depth: number, end: unknown): unknown =>
    Array.from({ length: depth }).reduce<unknown>((inner) => [inner], end);
  const circle = (end: unknown) => {
    const list: unknown[] = [end];
    list.push(list);
    return list;
  };
  const throws = () => Object.defineProperty({}, 'a', { enumerable: true, get: () => expect.unreachable() });

  it.each([
    ['a value below 40 lists', nested(40, 1), nested(40, 2), 2],
    ['nothing below 40 lists', nested(40, 1), nested(40, 1), 1],
    ['the order of the keys', { a: 1, b: 2 }, { b: 2, a: 1 }, 1],
    ['an empty list to an empty object', [[]], [{}], 2],
    ['the place where a list ends', [[1], 2], [[1, 2]], 2],
    ['the name of a key', { a: 1 }, { b: 1 }, 2],
    ['a circle', circle(1), circle(2), 2],
    ['a date', { at: new Date(1) }, { at: new Date(2) }, 2],
    ['a function', { f: () => 1 }, { f: () => 2 }, 2],
    ['a function to one that reads the same', { f: () => 1 }, { f: () => 1 }, 1],
    ['a member that cannot be read to another one', throws(), throws(), 1],
  ])('when a later handler changes %s, and otherwise not (BEY-22)', async (_what, before, after, times) => {
    expect(await timesAsked(before, after)).toBe(times);
  });
});
