import type { JournalName, RunId, ThreadKey } from '../records/index.ts';
import type { SecretBox } from '../secrets/index.ts';

/**
 * How much of a store is encrypted. `all`: it was empty when encryption began, or a rotation has encrypted the rest, so it
 * holds no text in clear. `later`: each journal may begin with text from before there was a key.
 */
export type Extent = 'all' | 'later';

const SEALED = 'sealed:';

/** True for a text as it is stored with a key. A reader without the key gets such texts. */
export function isSealed(text: string): boolean {
  return text.startsWith(SEALED);
}

export function sealText(box: SecretBox, text: string, place: string): string {
  return SEALED + box.encrypt(text, place);
}

/** True for a text that is encrypted with the newest key, and for this place. */
export function isNewest(box: SecretBox, text: string, place: string): boolean {
  const secret = text.slice(SEALED.length);
  return isSealed(text) && !box.isOld(secret) && openSecret(box, secret, place) !== undefined;
}

/** Decrypts a text for its place. Text in clear is given back as it is; whether it may be there is checked elsewhere. */
export function opener(box: SecretBox, extent: Extent): (text: string, place: string, formerPlace?: string) => string {
  return (text, place, formerPlace) => {
    if (!isSealed(text)) return text;
    const secret = text.slice(SEALED.length);
    try {
      return box.decrypt(secret, place);
      // Versions before 0.2 encrypted items and waiting messages for their list. A rotation binds them to their position.
    } catch (error) {
      const former = formerPlace === undefined || extent === 'all' ? undefined : openSecret(box, secret, formerPlace);
      if (former === undefined) throw error;
      return former;
    }
  };
}

export function openSecret(box: SecretBox, secret: string, place: string): string | undefined {
  try {
    return box.decrypt(secret, place);
    // It was encrypted for another place or with another key. The caller says what that means.
  } catch {
    return undefined;
  }
}

/** The readable form of a text that is encrypted for this place; `undefined` for any other text. */
export function openSealed(box: SecretBox, text: string, place: string): string | undefined {
  return isSealed(text) ? openSecret(box, text.slice(SEALED.length), place) : undefined;
}

/** What a text is encrypted for. */
const placed = (...parts: readonly (string | number)[]): string => parts.join(' ');

export const entryAt = (journal: JournalName) => (position: number) => placed('entry', journal, position);
export const itemAt = (run: JournalName) => (position: number) => placed('item', run, position);
export const inboxAt = (thread: ThreadKey, key: string) => placed('inbox', thread, key);
/** Versions before 0.2 encrypted an item for its run, and a waiting message for its thread. */
export const formerItems = (run: RunId) => placed('items', run);
export const formerInbox = (thread: ThreadKey) => placed('inbox', thread);
