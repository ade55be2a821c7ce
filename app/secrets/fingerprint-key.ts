import { hkdfSync, type KeyObject } from 'node:crypto';

/**
 * The key under which hidden values get their fingerprints: the same on every replica and after every start, and of no
 * use for anything else. Without a data key it comes from another secret that all replicas share.
 */
export function fingerprintKey(dataKey: KeyObject | undefined, shared: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', dataKey ?? shared, '', 'countersign fingerprint', 32));
}
