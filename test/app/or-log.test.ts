import { expect, it } from 'vitest';
import { orLog } from '../../app/or-log.ts';
import { keptLog } from '../support/kept-log.ts';

it('gives the result of the work, and logs nothing', async () => {
  const { log, lines } = keptLog();

  expect(await orLog(log.warn, 'The work failed.', {}, async () => 'done')).toBe('done');
  expect(lines).toEqual([]);
});

it.each([
  ['rejects', () => Promise.reject(new Error('away'))],
  [
    'throws before it waits',
    () => {
      throw new Error('away');
    },
  ],
])('gives undefined when the work %s, and logs why at the given level', async (_how, work) => {
  const { log, lines } = keptLog();

  expect(await orLog(log.debug, 'The work failed.', {}, work)).toBeUndefined();
  expect(lines).toEqual(['debug: The work failed. away']);
});

it('logs what the work was about beside the error', async () => {
  const fields: unknown[] = [];
  const error = new Error('away');
  const line = (_message: string, about: unknown) => void fields.push(about);

  await orLog(line, 'The work failed.', { channel: 'C1' }, () => Promise.reject(error));

  expect(fields).toEqual([{ channel: 'C1', error }]);
});
