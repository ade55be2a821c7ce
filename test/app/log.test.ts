import { expect, it } from 'vitest';
import { createLog, errorText } from '../../app/log.ts';

const LONG = 'no 😀 '.repeat(200_000);
const MOST_BYTES = 4_096;

it('a line of the log has at most 4 KB of each text, also of one inside a field or an error (EDGE-7)', () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));

  log.info(LONG, { said: LONG, inside: [{ text: LONG }], error: new Error(LONG) });

  const { message, said, inside, error } = JSON.parse(lines[0] ?? '');
  for (const text of [message, said, inside[0].text, error.message, error.stack]) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST_BYTES);
    expect(text).toMatch(/\d more characters\)$/);
  }
});

it.each([
  ['an error', new Error(LONG)],
  ['a text', LONG],
  ['an object', { why: LONG }],
])('%s that is thrown says at most 4 KB (EDGE-7)', (_what, thrown) => {
  expect(Buffer.byteLength(errorText(thrown))).toBeLessThanOrEqual(MOST_BYTES);
});
