import { given } from '../../given.ts';
import type { BodyOf, RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import { InboxMessage, type UserId } from '../../records/index.ts';
import type { Surface } from '../../surface.ts';
import { turnsByLength } from '../../time/index.ts';
import { hear, type MessageOfPerson } from '../telling/person-message.ts';
import { WORDS } from '../telling/words.ts';

/** Takes messages from the inbox into the journal. */

export interface InboxEntry {
  readonly key: string;
  readonly message: InboxMessage;
}

export interface HeardMessage extends MessageOfPerson {
  readonly key: string;
  /** The message as it is stored. */
  readonly item: string;
  readonly user: UserId;
  readonly alsoSteeredBy?: readonly UserId[];
}

export function readInbox(inbox: readonly { readonly key: string; readonly item: string }[]): readonly InboxEntry[] {
  return inbox.map(({ key, item }) => ({ key, message: InboxMessage.parse(JSON.parse(item)) }));
}

/**
 * Sorts waiting messages by the time at which they were written, however they were delivered. A message from a button
 * or a form has no time of Slack's, so it stays behind what arrived before it.
 */
export function inOrder(arrived: readonly InboxEntry[]): readonly InboxEntry[] {
  let latest = 0;
  const timed = arrived.map((entry) => {
    const ts = Number(entry.message.ts);
    const at = Number.isNaN(ts) ? latest : ts;
    latest = Math.max(latest, at);
    return { entry, at };
  });
  return timed.toSorted((one, other) => one.at - other.at).map(({ entry }) => entry);
}

/** The first `least` messages, and as many of the next ones as one append takes, by their number and their files. */
export function portionOf(waiting: readonly InboxEntry[], least = 1): readonly InboxEntry[] {
  const { messagesAtOnce, filesPerMessage, filesBytes } = LIMITS;
  let [files, bytes] = [0, 0];
  const end = waiting.findIndex(({ message }, index) => {
    files += Math.min(message.files?.length ?? 0, filesPerMessage);
    bytes += Math.min(bytesOf(message), filesBytes);
    return index >= least && (index >= messagesAtOnce || files > filesPerMessage || bytes > filesBytes);
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

/** As Slack says. A file of unknown size counts as the largest. */
function bytesOf({ files = [] }: InboxMessage): number {
  return files.reduce((sum, { bytes = LIMITS.filesBytes }) => sum + bytes, 0);
}

/**
 * The messages a run begins with. The run is named after the message that arrived first, the same for every process, so
 * that message is always among them. It moves forward when more older ones precede it than one append takes.
 */
export function firstPortion(arrived: readonly InboxEntry[]): readonly InboxEntry[] {
  const [named] = arrived;
  if (named === undefined) return [];
  const ordered = inOrder(arrived);
  const place = Math.min(ordered.indexOf(named), LIMITS.messagesAtOnce - 1);
  const others = ordered.filter((entry) => entry !== named);
  return portionOf(others.toSpliced(place, 0, named), place + 1);
}

/** Reads the messages. Their files are fetched at the same time. Between two messages with files, other work has its turn. */
export function hearAll(
  surface: Pick<Surface, 'readFile'>,
  waiting: readonly InboxEntry[],
): Promise<readonly HeardMessage[]> {
  const turnAfter = turnsByLength();
  return Promise.all(
    waiting.map(async ({ key, message }) => {
      const { user, alsoSteeredBy } = message;
      const heard = await hear(message, surface);
      const item = JSON.stringify(heard.message);
      await turnAfter(item.length);
      return { key, user, item, ...given({ alsoSteeredBy }), ...heard };
    }),
  );
}

/** Reads what waited, for a run that is stopped with it. A stop waits for no file, and says itself that nothing goes on. */
export async function hearStopped(waiting: readonly InboxEntry[]): Promise<readonly HeardMessage[]> {
  const heard = await hearAll(NO_FILES, inOrder(waiting));
  return heard.map(({ unread: _, ...message }) => message);
}

const NO_FILES: Pick<Surface, 'readFile'> = { readFile: async () => ({ type: 'unreadable', why: WORDS.notRead }) };

/** The entries and items with which these messages come into a run, except those that it has. */
export function joining({ heard, items }: Pick<RunState, 'heard' | 'items'>, messages: readonly HeardMessage[]) {
  const fresh = messages.filter(({ key }) => !heard.has(key));
  return {
    entries: fresh.map((said, index) => personSaid(said, items + index)),
    items: fresh.map(({ item }) => item),
    messages: fresh.map(({ message }) => message),
  };
}

/** Whether the message with this key was written after `ts`. A message without a time of Slack's never was. */
export function isAfter(key: string, ts: string | undefined): boolean {
  return Number(key.split('/').at(-1)) > Number(ts);
}

export function personSaid(
  { key, user, alsoSteeredBy, unread }: Omit<HeardMessage, 'item'>,
  item: number,
): BodyOf<'person-said'> {
  return { type: 'person-said', key, user, item, ...given({ alsoSteeredBy, unread }) };
}
