import { expect, it } from 'vitest';
import { DELIVERIES } from '../../handlers/index.ts';
import { ROWS } from '../support/every-delivery.ts';

it('every delivery that is answered has a row in the matrix of who may do what, and every row a delivery (P30)', () => {
  expect(Object.keys(ROWS).sort()).toEqual(DELIVERIES.map(({ kind, name }) => `${kind} ${name}`).sort());
});
