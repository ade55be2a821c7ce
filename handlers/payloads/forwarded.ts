import { z } from 'zod';
import { given } from '../../app/given.ts';
import { type Forwarded, UserId } from '../../app/records/index.ts';
import { unescaped } from './escapes.ts';
import { readFiles } from './message-files.ts';

/** Reads the messages that a person forwarded. Slack puts each into an attachment of the person's own message. */

const Share = z.object({
  is_share: z.literal(true),
  author_id: z.string().nullish(),
  text: z.string().nullish(),
  message_blocks: z
    .array(z.object({ message: z.object({ blocks: z.unknown() }) }))
    .optional()
    // In another shape, no words are known to be those of the author.
    .catch(undefined),
  files: z.unknown().optional(),
});

/** More than people forward at once. */
const MOST = 10;

/** Leaves out attachments that are no forwarded messages, as an unfurled link. */
export function readForwarded(attachments: unknown): readonly Forwarded[] {
  if (!Array.isArray(attachments)) return [];
  return attachments
    .flatMap((attachment) => Share.safeParse(attachment).data ?? [])
    .slice(0, MOST)
    .map(forwardedIn);
}

function forwardedIn({ author_id, text, message_blocks, files }: z.infer<typeof Share>): Forwarded {
  const by = /^[UW][A-Z0-9]{2,}$/.test(author_id ?? '') ? UserId.parse(author_id) : undefined;
  const names = readFiles(files).map(({ name }) => name);
  return {
    ...given({ by }),
    text: unescaped(text || textsIn(message_blocks).join(' ')),
    ...(names.length === 0 ? {} : { files: names }),
  };
}

/** A message of an app may have its words in blocks alone. */
function textsIn(part: unknown, depth = 0): readonly string[] {
  if (typeof part !== 'object' || part === null || depth > DEEPEST) return [];
  if ('text' in part && typeof part.text === 'string') return [part.text];
  return Object.values(part).flatMap((inner) => textsIn(inner, depth + 1));
}

/** Deeper than Slack nests the blocks of a message. */
const DEEPEST = 20;
