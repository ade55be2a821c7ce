import { createSecretKey } from 'node:crypto';
import { createSecretBox } from '../../app/secrets/box.ts';
import type { Store } from '../../app/store/store.ts';
import { runId } from './journal.ts';
import { appendOf } from './store.ts';

/** A run whose entries and items are numbered, for tests that change the key under it. */

export const bytes = (byte: number) => Buffer.alloc(32, byte);

export const boxOf = (...numbers: readonly number[]) =>
  createSecretBox(numbers.map((byte) => createSecretKey(bytes(byte))));

/** Each with an item. */
export async function write(store: Store, versions: readonly number[]): Promise<void> {
  for (const version of versions) {
    const text = `"entry ${version}"`;
    await store.append(appendOf(runId(), version, { text, items: [`item ${version}`], itemsFrom: version }));
  }
}

export const versionsTo = (end: number) => Array.from({ length: end }, (_, version) => version);

export const readAll = async (store: Store) => ({
  entries: (await store.read(runId())).entries.map(({ text }) => text),
  items: await store.readItems(runId()),
});

/** What `readAll` gives of a run with so many entries. */
export const all = (end: number) => ({
  entries: versionsTo(end).map((version) => `"entry ${version}"`),
  items: versionsTo(end).map((version) => `item ${version}`),
});
