import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';

/**
 * Encrypts what must not be readable in the store. The result is `1.<key id>.<nonce>.<rest>`: AES-256-GCM under a key that
 * is derived from one key of `DATA_KEY`. The key id says which, so that older texts can be read after a change of keys.
 */
export interface SecretBox {
  /** `place` names where the result is stored. It is not secret, and the text can be decrypted for no other place. */
  readonly encrypt: (text: string, place: string) => string;
  /** Throws `SecretError` for a text that was written for another place, was changed, or has an unknown key. */
  readonly decrypt: (secret: string, place: string) => string;
  /** True for a text whose key is not the newest. */
  readonly isOld: (secret: string) => boolean;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = '1';

const bytes = (text: string): Buffer =>
  /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');

/** One key of `DATA_KEY`: base64 or hex. As a `KeyObject` it is not printed by accident. */
const DataKey = z
  .string()
  .trim()
  .refine((text) => /^[\w+/-]+={0,2}$/.test(text) && bytes(text).length === KEY_BYTES, {
    error: 'is not a key of 32 bytes. Write what `openssl rand -base64 32` prints',
  })
  .transform((text) => createSecretKey(bytes(text)));

/** The newest key first, older ones after commas. The first one encrypts; all of them decrypt. */
export const DataKeys = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(DataKey).min(1));
export type DataKeys = readonly KeyObject[];

export function createSecretBox(keys: DataKeys): SecretBox {
  const rings = keys.map((key) => ({
    id: derive(key, 'id', 6).toString('base64url'),
    key: derive(key, 'encrypt', 32),
  }));
  const [newest] = rings;
  if (newest === undefined) throw new Error('A secret box needs a key. Set DATA_KEY.');

  return {
    encrypt: (text, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce);
      cipher.setAAD(Buffer.from(place));
      const rest = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORMAT, newest.id, nonce.toString('base64url'), rest.toString('base64url')].join('.');
    },
    decrypt: (secret, place) => {
      const [format, id, nonce = '', rest = ''] = secret.split('.');
      const ring = rings.find((one) => one.id === id);
      if (format !== FORMAT) {
        throw new SecretError(
          `What is kept for ${place} has a format that this version does not know. Start the newer version again.`,
        );
      }
      if (ring === undefined) {
        throw new SecretError(
          `What is kept for ${place} was written with a key that DATA_KEY does not have any more. Add it after a comma.`,
        );
      }
      try {
        const all = Buffer.from(rest, 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', ring.key, Buffer.from(nonce, 'base64url'), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(place));
        decipher.setAuthTag(all.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(all.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
        // The tag does not fit: the text was changed, or was written for another place.
      } catch (cause) {
        throw new SecretError(
          `What is kept for ${place} was changed, or belongs elsewhere, and cannot be read. Restore it from a copy.`,
          { cause },
        );
      }
    },
    isOld: (secret) => secret.split('.')[1] !== newest.id,
  };
}

/** Derives a key for one use. The data key itself is never used, so that its id reveals nothing and each use has its own key. */
export function derive(key: KeyObject, use: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `countersign ${use}`, length));
}

/** A stored text cannot be decrypted. No part of it was read. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}
