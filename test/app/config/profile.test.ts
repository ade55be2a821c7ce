import { expect, it } from 'vitest';
import { checkConfig } from '../../../app/config/check.ts';
import { reachNothing } from '../../support/reach.ts';

it('a deployment that asks for the reference profile does not start (BEY-43)', () => {
  const deps = { now: () => 0, reach: reachNothing };

  expect(() => checkConfig({ profile: 'reference' }, deps)).toThrow('profile');
  expect(() => checkConfig({ model: { profile: 'reference' } }, deps)).toThrow('profile');
  expect(() => checkConfig({}, deps)).not.toThrow();
});
