import { z } from 'zod';
import type { MessageFile } from '../../app/records/index.ts';

/** What Slack says about where a file lies. */
export const FilePlace = z.object({
  mode: z.string().nullish(),
  is_external: z.boolean().nullish(),
});

/** The person who shares an external file chooses its address, so only a file that Slack hosts is fetched. */
export function isHostedBySlack({ mode, is_external }: z.infer<typeof FilePlace>): boolean {
  return (mode === 'hosted' || mode === 'snippet') && is_external !== true;
}

const File = FilePlace.extend({
  id: z.string().min(1),
  name: z.string().nullish(),
  title: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
});

/** More than people send at once. */
const MOST = 100;

/**
 * The files of a message, as its event names them, without deleted ones. A file keeps its address only where the event
 * says that Slack hosts it. `files.info` is asked about any other.
 */
export function readFiles(files: unknown): readonly MessageFile[] {
  if (!Array.isArray(files)) return [];
  return files.slice(0, MOST).flatMap((file): readonly MessageFile[] => {
    const read = File.safeParse(file);
    if (!read.success || read.data.mode === 'tombstone') return [];
    const { id, name, title, size, url_private: url } = read.data;
    return [
      {
        id,
        name: name ?? title ?? id,
        ...(url == null || url === '' || !isHostedBySlack(read.data) ? {} : { url }),
        ...(size == null ? {} : { bytes: size }),
      },
    ];
  });
}
