import { z } from 'zod';
import type { MessageFile } from '../app/records.ts';

const File = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  title: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
  mode: z.string().nullish(),
});

/** More than anybody sends; the event itself may hold a hundred. */
const MOST = 100;

/** The files of a message, as its event names them. What was deleted meanwhile is no file. */
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
        ...(url == null || url === '' ? {} : { url }),
        ...(size == null ? {} : { bytes: size }),
      },
    ];
  });
}
