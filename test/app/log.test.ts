import { expect, it } from 'vitest';
import { ModelError } from '../../app/agent/model/index.ts';
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

it('a line of the log holds what an error says for the log alone', () => {
  const lines: string[] = [];
  const error = new ModelError('bad-request', { detail: '400 the name of a tool is too long' });

  createLog('info', (line) => lines.push(line)).error('A run failed.', { error });

  expect(lines.join()).toContain('400 the name of a tool is too long');
});

it('an error that only collects others says what they say, as when no address of a host takes a connection', () => {
  const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}`));

  expect(errorText(new AggregateError(refused))).toBe('connect ECONNREFUSED ::1; connect ECONNREFUSED 127.0.0.1');
  expect(errorText(new AggregateError([]))).toMatch(/^AggregateError/);
  expect(errorText(new AggregateError([], 'It was closed twice.'))).toBe('It was closed twice.');
});
