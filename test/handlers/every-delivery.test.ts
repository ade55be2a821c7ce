import { expect, it } from 'vitest';
import { DELIVERIES } from '../../handlers/index.ts';
import { ROWS } from '../support/every-delivery.ts';

it('every delivery that is answered has a row in the matrix of who may do what, and every row a delivery (P30)', () => {
  // The menu of a card has one row for each choice.
  const rows = Object.keys(ROWS).map((name) => name.split(' ').slice(0, 2).join(' '));
  expect([...new Set(rows)].sort()).toEqual(DELIVERIES.map(({ kind, name }) => `${kind} ${name}`).sort());
});
