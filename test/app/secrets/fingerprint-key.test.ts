import { expect, it } from 'vitest';
import { DataKeys } from '../../../app/secrets/box.ts';
import { createRedaction, fingerprintKey } from '../../../app/secrets/index.ts';

const [dataKey] = DataKeys.parse(Buffer.alloc(32, 7).toString('base64'));

it.each([
  ['with a data key', fingerprintKey(dataKey, 'shared'), '[hidden daeecc874e]'],
  ['without one, by the secret that replicas share', fingerprintKey(undefined, 'shared'), '[hidden f747a7eeb4]'],
])('a secret has the fingerprint that an earlier version of the bot gave it, %s', (_how, key, shown) => {
  const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key });

  expect(redaction.input({ inputSchema: {} }, { password: 'canary-1' }).shown).toEqual({ password: shown });
});
