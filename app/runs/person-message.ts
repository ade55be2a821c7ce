import type { ContentBlock, Message } from '../../interventions/index.ts';
import { LIMITS } from '../limits.ts';
import type { InboxMessage, MessageFile } from '../records.ts';
import type { ReadFile, Surface } from '../surface.ts';
import { WORDS } from './words.ts';

/** A person's message as the model is shown it, and what the thread is owed about it. */
export interface Heard {
  readonly message: Message;
  readonly unread?: string;
}

/**
 * Several people may write in one thread, so each message says who it is; the name is the id that the signed delivery
 * carried. Files are fetched once, here, and are part of the message from then on.
 */
export async function hear(
  { thread, user, text, files = [] }: InboxMessage,
  { readFile }: Pick<Surface, 'readFile'>,
): Promise<Heard> {
  const taken = files.slice(0, LIMITS.filesPerMessage);
  const parts = await Promise.all(taken.map((file) => partOf(file, (one) => readFile(one, thread))));
  const left = files.slice(taken.length).map((file): Part => unreadable(file, WORDS.tooManyFiles));
  const all = [...parts, ...left];
  const problems = all.flatMap(({ problem }) => problem ?? []);
  return {
    message: {
      role: 'user',
      content: [{ type: 'text', text: `<@${user}>: ${text}` }, ...all.flatMap((part) => part.blocks)],
    },
    ...(problems.length === 0 ? {} : { unread: WORDS.unread(problems) }),
  };
}

interface Part {
  readonly blocks: readonly ContentBlock[];
  readonly problem?: string;
}

async function partOf(file: MessageFile, readFile: (file: MessageFile) => Promise<ReadFile>): Promise<Part> {
  const read = await readFile(file);
  if (read.type === 'unreadable') return unreadable(file, read.why);
  const { kind, mediaType, base64 } = read;
  const name = plainName(file.name);
  return {
    blocks: [
      { type: 'text', text: `[file: ${name}]` },
      { type: kind, mediaType, base64, name },
    ],
  };
}

function unreadable(file: MessageFile, why: string): Part {
  const problem = `${plainName(file.name)} ${why}`;
  return { blocks: [{ type: 'text', text: `[file that you cannot see: ${problem}]` }], problem };
}

/** A name is written by people and said by us, so it has nothing in it that could be a mention, a link or a format. */
export function plainName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}. -]+/gu, '-').trim();
  return plain === '' ? 'a file' : [...plain].slice(0, NAME_CHARS).join('');
}

const NAME_CHARS = 80;
