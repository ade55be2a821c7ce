import { expect, it } from 'vitest';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { fold, started, turn, user } from '../../../support/journal.ts';

const said = (key: string, item: number, unread?: string): EntryBody => ({
  ...{ type: 'person-said', key, user: user('ANN'), item },
  ...(unread === undefined ? {} : { unread }),
});

it('a run knows every message that it has heard, so that none joins it twice', () => {
  const state = fold(started, said('m/1', 0), said('m/2', 1), turn(1), said('m/3', 3));

  expect([...state.heard]).toEqual(['m/1', 'm/2', 'm/3']);
});

it('a run knows what could not be read of each message', () => {
  const state = fold(started, said('m/1', 0, 'a.zip'), said('m/2', 1), said('m/3', 2, 'b.zip'));

  expect([...state.unread]).toEqual([
    ['m/1', 'a.zip'],
    ['m/3', 'b.zip'],
  ]);
});

it('a run knows the usage of all of its turns, and all calls that they asked for', () => {
  const state = fold(started, turn(1, 'a', 'b'), turn(2, 'c'));

  expect(state.tokens).toEqual({ input: 2, output: 2, cacheRead: 0, cacheWrite: 0 });
  expect([...state.calls.keys()]).toEqual(['1/a', '1/b', '2/c']);
  expect(state.turns).toBe(2);
});
