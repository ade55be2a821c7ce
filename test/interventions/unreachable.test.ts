import { expect, it } from 'vitest';
import { unreachable } from '../../interventions/index.ts';

it('a forgotten case is named when a caller ignores the types', () => {
  const odd = { type: 'odd' } as never;

  expect(() => unreachable(odd)).toThrow('{"type":"odd"}');
});
