import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox, DataKeys, SecretError } from '../../../app/secrets/box.ts';

const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');
const boxOf = (keys: string) => createSecretBox(DataKeys.parse(keys));

describe('a secret box', () => {
  it('reads what it wrote, whatever the text was', () => {
    const box = boxOf(first);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
        expect(box.decrypt(box.encrypt(text, place), place)).toBe(text);
      }),
    );
  });

  it('reveals nothing of the text, and never gives the same output twice', () => {
    const box = boxOf(first);
    const secret = box.encrypt('xoxb-secret', 'a');
    expect(secret).not.toContain('xoxb');
    expect(Buffer.from(secret.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('xoxb');
    expect(box.encrypt('xoxb-secret', 'a')).not.toBe(secret);
  });

  it('reads nothing that was written for another place', () => {
    const box = boxOf(first);
    expect(() => box.decrypt(box.encrypt('of one', 'T1'), 'T2')).toThrow(SecretError);
  });

  it('reads nothing in which a single character was changed', () => {
    const box = boxOf(first);
    const secret = box.encrypt('text', 'T1');
    const [format, id, nonce = '', rest = ''] = secret.split('.');
    const flip = (text: string, at: number) => {
      const all = Buffer.from(text, 'base64url');
      all[at] = (all[at] ?? 0) ^ 1;
      return all.toString('base64url');
    };
    for (const at of Buffer.from(rest, 'base64url').keys()) {
      expect(() => box.decrypt([format, id, nonce, flip(rest, at)].join('.'), 'T1')).toThrow(SecretError);
    }
    expect(() => box.decrypt([format, id, flip(nonce, 0), rest].join('.'), 'T1')).toThrow(SecretError);
    expect(() => box.decrypt([format, id, nonce, ''].join('.'), 'T1')).toThrow(SecretError);
    expect(() => box.decrypt('plain text', 'T1')).toThrow(SecretError);
  });

  it('still reads older texts after the key was changed, and recognises them', () => {
    const secret = boxOf(first).encrypt('text', 'T1');
    const changed = boxOf(`${second}, ${first}`);
    expect(changed.decrypt(secret, 'T1')).toBe('text');
    expect(changed.isOld(secret)).toBe(true);
    expect(changed.isOld(changed.encrypt('text', 'T1'))).toBe(false);
  });

  it('reads what an earlier version of the bot encrypted', () => {
    const box = boxOf(Buffer.alloc(32, 7).toString('base64'));

    expect(box.decrypt('1.FY4ESe7R.i_csrY5XjQI2iFf9.cB21OjIWcLE0btCygb5DGk4BsVywYOQJJQFO5ae908Q', 'run/1')).toBe(
      'restart payments',
    );
  });

  it('says that the key is missing when it was thrown away', () => {
    const secret = boxOf(first).encrypt('text', 'T1');
    expect(() => boxOf(second).decrypt(secret, 'T1')).toThrow('DATA_KEY does not have any more');
  });

  it('takes the same key as base64, as base64url and as hex', () => {
    const key = randomBytes(32);
    const secret = boxOf(key.toString('base64')).encrypt('text', 'T1');
    expect(boxOf(key.toString('hex')).decrypt(secret, 'T1')).toBe('text');
    expect(boxOf(key.toString('base64url')).decrypt(secret, 'T1')).toBe('text');
  });

  it.each(['short', 'a'.repeat(63), `${first},`, 'ü'.repeat(32)])('refuses %j as a key', (keys) => {
    expect(DataKeys.safeParse(keys).success).toBe(false);
  });
});
