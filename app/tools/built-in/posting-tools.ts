import { z } from 'zod';
import { count } from '../../log.ts';
import type { UserId } from '../../records/index.ts';
import { defineTool } from '../define-tool.ts';
import { OutcomeUnknownError } from '../run-tool.ts';
import type { Tool, ToolRunHelp } from '../tool.ts';
import type { DoubtedPost, Receipt, ThreadReach } from './reach.ts';
import { place } from './thread-tools.ts';

/** Posts to a channel. Asked: people who did not ask for the message read it. */
export function postToChannel(reach: ThreadReach): Tool {
  const tool = defineTool({
    name: 'post_to_channel',
    description:
      'Posts a message to another channel, as the bot. Not for answers: those go to this thread by themselves. A person is asked first.',
    input: z.object({
      channel: z.string().regex(/^[CG][A-Z0-9]{2,}$/, 'must be the id of a channel, such as C0123ABCD'),
      text: z.string().trim().min(1).max(10_000),
    }),
    effect: 'asked',
    because: 'Others read it, and it cannot be unread.',
    // A trust in any text and channel would let injected instructions post anything anywhere.
    trust: { match: 'exact', scope: 'thread', forMs: 60 * 60 * 1000 },
    summarise: ({ channel, text }) => `Post a message of ${count(text.length, 'character')} to ${channel}.`,
    run: async ({ channel, text }, help) => told('Posted', await reach.post({ ...work(help), channel, text })),
  });
  return { ...tool, origin: 'built in' };
}

/** Uploads a text to the thread. Open: it is an answer in another form, to the same people. */
export function uploadFile(reach: ThreadReach): Tool {
  const tool = defineTool({
    name: 'upload_file',
    description:
      'Puts a text that is too long for a message into this thread as a file: a report, a table, a log, a patch.',
    input: z.object({
      fileName: z
        .string()
        .regex(
          /^[\w][\w .-]{0,80}\.(?:txt|md|csv|tsv|json|yaml|yml|log|diff|patch)$/,
          'must be a plain name that ends with txt, md, csv, tsv, json, yaml, log, diff or patch',
        ),
      content: z.string().min(1).max(200_000),
    }),
    effect: 'open',
    because: 'It is an answer in another form: to the same people, in the same thread, as text that runs nowhere.',
    summarise: ({ fileName }) => `Upload ${fileName} to this thread.`,
    run: async ({ fileName, content }, help) =>
      told('Uploaded', await reach.upload({ ...work(help), fileName, content })),
  });
  return { ...tool, origin: 'built in' };
}

function work(help: ToolRunHelp) {
  return { thread: place(help), requester: requesterOf(help), key: help.key, signal: help.signal };
}

/** The implementation of the reach checks what this person may do, so a run without a person cannot use the tool. */
function requesterOf({ requester }: ToolRunHelp): UserId {
  if (requester === undefined)
    throw new Error('This tool works for a person, and the run has no requester. Do without this tool.');
  return requester;
}

function told(what: string, posted: Receipt | DoubtedPost): string {
  if ('known' in posted) throw new OutcomeUnknownError(posted.known);
  const { link } = posted;
  return link === undefined ? `${what}.` : `${what}: ${link}`;
}
