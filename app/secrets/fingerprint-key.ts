import { hkdfSync, type KeyObject } from 'node:crypto';

/**
 * The key for the fingerprints of hidden values: the same on every replica and after every start, and of no other use.
 * Without a data key it is derived from another secret that all replicas share.
 */
export function fingerprintKey(dataKey: KeyObject | undefined, shared: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', dataKey ?? shared, '', 'countersign fingerprint', 32));
}
