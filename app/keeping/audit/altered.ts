import { hashLine } from '../../journal/index.ts';
import type { JournalName } from '../../records/index.ts';
import type { Verifiable } from './walk.ts';

/** One altered byte, and the store as it is read with it. The store itself stays as it is. */
export interface Altered {
  readonly store: Verifiable;
  readonly journal: JournalName;
  readonly position: number;
  readonly before: string;
  readonly after: string;
}

/** Alters one byte of the only entry whose hash begins so, in what is read of the store. */
export async function alterOneByte(store: Verifiable, beginning: string): Promise<Altered | 'none' | 'several'> {
  const [place, ...others] = await findEntries(store, beginning);
  if (place === undefined) return 'none';
  if (others.length > 0) return 'several';
  const { journal, position, text, hash } = place;
  const at = text.search(LAST_OF_TEXT);
  const before = text.charAt(at);
  const after = before === '0' ? '1' : '0';
  const altered = `${text.slice(0, at)}${after}${text.slice(at + 1)}`;
  const read: Verifiable['read'] = async (name, from = 0, most) => {
    const page = await store.read(name, from, most);
    const entries = page.entries.map((entry) => (hashLine(entry.text) === hash ? { ...entry, text: altered } : entry));
    return { ...page, entries };
  };
  return { store: { ...store, read }, journal, position, before, after };
}

/** The last letter or digit of the last text in a line, such as the id of the person who decided. The line stays JSON. */
const LAST_OF_TEXT = /[0-9A-Za-z](?=[^0-9A-Za-z"]*"[^"]*$)/;

async function findEntries(store: Verifiable, beginning: string) {
  const found: { journal: JournalName; position: number; text: string; hash: string }[] = [];
  for (const kind of ['run', 'grant', 'workspace'] as const) {
    for (const journal of await store.journals(kind)) {
      const { entries } = await store.read(journal);
      for (const [position, { text }] of entries.entries()) {
        const hash = hashLine(text);
        if (hash.startsWith(beginning)) found.push({ journal, position, text, hash });
      }
    }
  }
  return found;
}
