import { expect, it } from 'vitest';
import { unreachable } from '../../interventions/index.ts';

it('names a forgotten case when types were not listened to', () => {
  const odd = { type: 'odd' } as never;

  expect(() => unreachable(odd)).toThrow('{"type":"odd"}');
});
