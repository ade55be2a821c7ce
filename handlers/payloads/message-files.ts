import { z } from 'zod';
import { given } from '../../app/given.ts';
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

/** The sizes that Slack makes of a larger picture, the largest first. It makes some of other files too. */
const SMALLER = ['thumb_1024', 'thumb_960', 'thumb_800', 'thumb_720', 'thumb_480'] as const;

const address = z.string().nullish();

/** How long a file is, and where it can be fetched. */
export const FileContent = z.object({
  size: z.number().nullish(),
  mimetype: z.string().nullish(),
  url_private: address,
  thumb_1024: address,
  thumb_960: address,
  thumb_800: address,
  thumb_720: address,
  thumb_480: address,
});

/** The same as a message keeps it. */
export function contentOf(file: z.infer<typeof FileContent>): Pick<MessageFile, 'url' | 'bytes' | 'smallerUrl'> {
  const { size, mimetype, url_private: url } = file;
  const smallerUrl = mimetype?.startsWith('image/') ? SMALLER.map((name) => file[name]).find(Boolean) : undefined;
  return {
    ...(url == null || url === '' ? {} : { url }),
    ...(size == null ? {} : { bytes: size }),
    ...(smallerUrl == null ? {} : { smallerUrl }),
  };
}

const File = FilePlace.extend(FileContent.shape).extend({
  id: z.string().min(1),
  name: z.string().nullish(),
  title: z.string().nullish(),
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
    const { id, name, title } = read.data;
    const { bytes, ...addresses } = contentOf(read.data);
    return [{ id, name: name ?? title ?? id, ...given({ bytes }), ...(isHostedBySlack(read.data) ? addresses : {}) }];
  });
}
