import { createHmac, timingSafeEqual } from 'node:crypto';
import { type DataKeys, derive } from './box.ts';

/** Signs what is stored, so that access to the store alone is not enough to write it. */
export interface Signer {
  /** `<key id>.<HMAC-SHA256>`, under the newest key. `place` names where the text is stored. */
  readonly sign: (text: string, place: string) => string;
  /** `unknown`: it was made under a key that `DATA_KEY` does not have, or not any more. */
  readonly check: (mac: string, text: string, place: string) => 'right' | 'wrong' | 'unknown';
}

export function createSigner(keys: DataKeys): Signer {
  const rings = keys.map((key) => ({ id: derive(key, 'id', 6).toString('base64url'), key: derive(key, 'sign', 32) }));
  const [newest] = rings;
  if (newest === undefined) throw new Error('A signer needs a key. Set DATA_KEY.');
  const macOf = (key: Buffer, text: string, place: string): Buffer =>
    createHmac('sha256', key).update(`${place}\n${text}`).digest();

  return {
    sign: (text, place) => `${newest.id}.${macOf(newest.key, text, place).toString('base64url')}`,
    check: (mac, text, place) => {
      const [id, code = ''] = mac.split('.');
      const ring = rings.find((one) => one.id === id);
      if (ring === undefined) return 'unknown';
      const given = Buffer.from(code, 'base64url');
      const right = macOf(ring.key, text, place);
      return given.length === right.length && timingSafeEqual(given, right) ? 'right' : 'wrong';
    },
  };
}
