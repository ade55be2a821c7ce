import { expect, it } from 'vitest';
import { readJson } from '../../app/json.ts';

it.each([
  ['{"a":[1,null]}', { a: [1, null] }],
  ['"text"', 'text'],
  ['null', null],
])('reads %s as the value that it says', (text, value) => {
  expect(readJson(text)).toEqual(value);
});

it.each(['', '{', '{a:1}', 'undefined', '1 2'])('gives undefined for %j, which is not JSON', (text) => {
  expect(readJson(text)).toBeUndefined();
});
