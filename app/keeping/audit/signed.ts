import { signatureOf } from '../../journal/index.ts';
import { count } from '../../log.ts';
import type { WorkspaceId } from '../../records/index.ts';
import { isSealed, type JournalPage } from '../../store/index.ts';
import type { Walk } from './walk.ts';

/**
 * Checks the signatures of a workspace's journal. From the first signed entry on, each is signed. Keys are added and dropped
 * in one order, so the last entry is not under a key that was dropped before.
 */
export function verifySignatures({ signatures, findings }: Walk, name: WorkspaceId, page: JournalPage): void {
  let isSigning = false;
  let last: 'right' | 'wrong' | 'unknown' | undefined;
  let hasRight = false;
  for (const [position, { text }] of page.entries.entries()) {
    if (isSealed(text)) continue;
    const signed = signatureOf(text);
    if (signed === undefined) {
      if (isSigning) findings.push(`${name}: entry ${position} is not signed, and entries before it are.`);
      else signatures.before += 1;
      continue;
    }
    isSigning = true;
    if (signatures.check === undefined) {
      signatures.unchecked += 1;
      continue;
    }
    last = signatures.check(signed.mac, signed.text, name);
    if (last === 'wrong') findings.push(`${name}: entry ${position} is not as it was signed.`);
    if (last === 'unknown') signatures.unknown += 1;
    hasRight ||= last === 'right';
  }
  if (last === 'unknown' && hasRight)
    findings.push(
      `${name}: its last entry is signed under an unknown key, and entries before it under one of DATA_KEY.`,
    );
}

/** What of the signatures could not be checked. */
export function uncheckedSignatures({ signatures }: Walk): readonly string[] {
  const { check, before, unknown, unchecked } = signatures;
  const notes: string[] = [];
  if (unchecked > 0)
    notes.push(`${count(unchecked, 'signature was', 'signatures were')} not checked. Set DATA_KEY for that.`);
  if (unknown > 0)
    notes.push(
      `${count(unknown, 'entry is', 'entries are')} signed under no key of DATA_KEY. Add the older keys to check that.`,
    );
  if (check !== undefined && before > 0)
    notes.push(
      `${count(before, 'entry', 'entries')} of workspaces came before there was a DATA_KEY, without a signature.`,
    );
  return notes;
}
