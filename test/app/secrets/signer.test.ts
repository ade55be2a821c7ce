import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DataKeys } from '../../../app/secrets/box.ts';
import { createSigner } from '../../../app/secrets/signer.ts';

const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');
const signerOf = (keys: string) => createSigner(DataKeys.parse(keys));

describe('a signer', () => {
  it('knows what it signed, and only at its place (EDGE-2)', () => {
    const signer = signerOf(first);
    const mac = signer.sign('text', 'here');

    expect(signer.check(mac, 'text', 'here')).toBe('right');
    expect(signer.check(mac, 'other text', 'here')).toBe('wrong');
    expect(signer.check(mac, 'text', 'there')).toBe('wrong');
    expect(signer.check(mac.slice(0, -4), 'text', 'here')).toBe('wrong');
    expect(mac).not.toContain('text');
  });

  it('knows what an earlier version of the bot signed (EDGE-2)', () => {
    const signer = signerOf(Buffer.alloc(32, 7).toString('base64'));
    const mac = 'FY4ESe7R.Xr-CJNFPW2vRdxFaS0E0fTxj_HcBa48qj9YGeNaFeyA';

    expect(signer.check(mac, 'restart payments', 'run/1')).toBe('right');
  });

  it('signs under the newest key and knows what older ones signed, until they are dropped (EDGE-2)', () => {
    const mac = signerOf(first).sign('text', 'here');
    const both = signerOf(`${second},${first}`);

    expect(both.check(mac, 'text', 'here')).toBe('right');
    expect(signerOf(second).check(both.sign('text', 'here'), 'text', 'here')).toBe('right');
    expect(signerOf(second).check(mac, 'text', 'here')).toBe('unknown');
  });
});
