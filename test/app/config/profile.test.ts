import { expect, it } from 'vitest';
import { checkConfig } from '../../../app/config/check.ts';
import { reachNothing } from '../../support/reach.ts';

it('starts no deployment that wants the profile of the reference (BEY-43)', () => {
  const deps = { now: () => 0, reach: reachNothing };

  expect(() => checkConfig({ profile: 'reference' }, deps)).toThrow('profile');
  expect(() => checkConfig({ model: { profile: 'reference' } }, deps)).toThrow('profile');
  expect(() => checkConfig({}, deps)).not.toThrow();
});
