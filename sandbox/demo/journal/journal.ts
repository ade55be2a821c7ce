import { z } from 'zod';
import { parseJson } from '../../json.ts';
import type { Journal, JournalLine } from '../../page/journal/journal.ts';
import { rootTs } from '../../records.ts';
import type { Audit } from './audit.ts';

/** The journals of the runs, as the command `audit -- tail` tells of them. */
export interface FollowedJournal extends Journal {
  /** Begins to read. Until then there is nothing to read, because the bot has not made its store. */
  readonly follow: () => void;
  readonly stop: () => Promise<void>;
}

/** An entry of a run. Other journals have no `run` of the same name, and are not shown. */
const Line = z
  .object({
    journal: z.string(),
    run: z.string(),
    thread: z.string(),
    position: z.number(),
    time: z.string(),
    kind: z.string(),
    sentence: z.string(),
    who: z.string().optional(),
    hash: z.string(),
    prev: z.string(),
    digest: z.string().optional(),
    shown: z.string().optional(),
  })
  .refine(({ journal, run }) => journal === run);

export function followJournal(audit: Audit, onChange: () => void): FollowedJournal {
  /** By channel and root of the thread. */
  const threads = new Map<string, Map<string, JournalLine>>();
  const take = (text: string): void => {
    const { data: line } = Line.safeParse(parseJson(text));
    if (line === undefined) return;
    const thread = line.thread.slice(line.thread.indexOf(':') + 1);
    const known = threads.get(thread) ?? new Map<string, JournalLine>();
    // After a new start the command tells of everything again.
    known.set(`${line.journal} ${line.position}`, line);
    threads.set(thread, known);
  };
  let following: ReturnType<Audit['follow']> | undefined;
  return {
    of: (thread) => [...(threads.get(`${thread.channel}:${rootTs(thread)}`)?.values() ?? [])],
    verify: async (altered) => audit.verify(...(altered === undefined ? [] : [`--alter=${altered}`])),
    follow: () => {
      following = audit.follow((lines) => {
        for (const line of lines) take(line);
        onChange();
      });
    },
    stop: async () => following?.stop(),
  };
}
