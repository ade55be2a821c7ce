import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../app/journal/facts/entries.ts';
import { EntryBody } from '../../app/journal/facts/entries.ts';
import { readLine } from '../../app/journal/line/line.ts';

/**
 * Journals as each release wrote them, line by line. What was written once is never written anew: later releases have to
 * read it, and to mean the same by it.
 */
const FOLDER = 'test/fixtures/journals';

export interface RecordedJournal {
  readonly release: string;
  readonly name: string;
  readonly texts: readonly string[];
  /** What the release that wrote it, and each one since, has to say of it. */
  readonly meaning: string;
}

export function recordedJournals(): readonly RecordedJournal[] {
  return readdirSync(FOLDER).flatMap((release) =>
    readdirSync(join(FOLDER, release))
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => ({
        release,
        name: file.replace('.jsonl', ''),
        texts: readFileSync(join(FOLDER, release, file), 'utf8')
          .trimEnd()
          .split('\n'),
        meaning: join(FOLDER, release, file.replace('.jsonl', '.txt')),
      })),
  );
}

export const entriesOf = ({ texts }: Pick<RecordedJournal, 'texts'>): readonly Entry[] =>
  texts.map((text) => readLine(EntryBody, text).entry);

/** Writes the journals of a store into the folder that `RECORD_JOURNALS` names. */
export function keepJournals(folder: string, lines: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [place, text] of lines) appendFileSync(join(folder, `${place.split(' ')[0]}.jsonl`), `${text}\n`);
}
