import { expect, it } from 'vitest';
import { listIn, numberIn, textIn, textsIn } from '../../../../app/store/redis/replies.ts';

it.each<[string, (reply: unknown) => unknown, unknown, string]>([
  ['a number', numberIn, '1', 'string'],
  ['a number', numberIn, [1], 'list'],
  ['a text', textIn, 1, 'number'],
  ['a list', listIn, 'one', 'string'],
  ['a list of texts', textsIn, ['one', 2], 'number'],
])('an answer of Redis that is not %s, as it has to be, is refused by its shape', (_what, read, reply, shape) => {
  expect(() => read(reply)).toThrow(`Redis answered with a ${shape} where something else was expected.`);
});
