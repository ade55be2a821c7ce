import { expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../../app/store/errors.ts';
import { createReaderErrors } from '../../../../../app/store/redis/connection/reader-errors.ts';

const away = new StoreUnavailableError('Redis gave no answer in time.');
const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });

it.each<[string, readonly unknown[], string]>([
  ['that nothing is said', [], 'it takes connections and says nothing'],
  [
    'the last error of the connection',
    [new Error('first'), new Error('getaddrinfo ENOTFOUND')],
    'getaddrinfo ENOTFOUND',
  ],
  ['the code of an error without a message', [refused], 'ECONNREFUSED'],
  ['the message of an error with a code', [Object.assign(new Error('it says'), { code: 'ECODE' })], 'it says'],
  ['an error that is a text', ['odd'], 'odd'],
])('a reader hears in one sentence %s', (_what, errors, why) => {
  const { onError, inOneSentence } = createReaderErrors('cache:6379');

  expect(errors.map(onError)).toEqual(errors.map(() => true));

  expect(inOneSentence(away)).toMatchObject({
    name: 'StoreSetupError',
    message: `Redis at cache:6379 gave no answer for 5 seconds (${why}). See that it runs, and that REDIS_URL is that of the bot.`,
  });
});

it('a reader hears how Node learns of the authority of a certificate that it refuses (SURF-5)', () => {
  const { onError, inOneSentence } = createReaderErrors('cache:6379');
  onError(new Error('self-signed certificate in certificate chain'));

  expect(inOneSentence(away)).toMatchObject({
    message: expect.stringMatching(
      /^Redis at cache:6379 gave no answer .* chain\)\. .* set NODE_EXTRA_CA_CERTS to the file/,
    ),
  });
});

it('a reader hears of no authority where Redis wants a certificate of the bot (SURF-5)', () => {
  const { onError, inOneSentence } = createReaderErrors('cache:6379');
  onError(new Error('ssl/tls alert certificate required'));

  expect(inOneSentence(away)).toMatchObject({
    message: expect.stringMatching(/certificate required\)\. See that it runs/),
  });
});

it('a reader hears of any other error as it is', () => {
  const other = new Error('Nothing is stored.');

  expect(createReaderErrors('cache:6379').inOneSentence(other)).toBe(other);
});
