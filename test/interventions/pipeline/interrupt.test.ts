import { describe, expect, it } from 'vitest';
import { createInterruptBook, type Place } from '../../../interventions/index.ts';

const batch: Place = { agentId: 'a', kind: 'beforeTools', turn: 1, attempt: 1 };
const one: Place = { ...batch, kind: 'tool', toolUseId: 't-1' };

/** What is on record once this place has asked. */
function recorded(place: Place, digest?: string) {
  const book = createInterruptBook();
  const raise = book.raiser(place, digest === undefined ? {} : { digest: () => digest });
  expect(() => raise({ name: 'q', reason: 'why' })).toThrow('Waiting for an answer to "q".');
  return book.list();
}

describe('an interrupt', () => {
  it('holds what was asked about and where, if there is such a place (INT-1)', () => {
    expect(recorded(batch)).toStrictEqual([{ id: expect.any(String), name: 'q', source: 'hook', reason: 'why' }]);
    expect(recorded(one, 'd')).toStrictEqual([
      { id: expect.any(String), name: 'q', source: 'tool', reason: 'why', digest: 'd', toolUseId: 't-1' },
    ]);
  });

  it.each([undefined, '', 1])('without a name (%j) is an error, not a pause (INT-4)', (name) => {
    const book = createInterruptBook();

    // The types forbid it; a tool in plain JavaScript can still do it.
    expect(() => book.raiser(one)({ name } as { name: string })).toThrow('interrupt() needs a name');
    expect(book.list()).toEqual([]);
  });
});
