import type { Message, Timers } from '../../../interventions/index.ts';
import { pendingQuestions } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { InboxMessage } from '../../records/index.ts';
import type { Session, Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { writtenIn } from '../telling/person-message.ts';
import { textOf } from '../telling/transcript.ts';
import type { RunInHand } from './in-hand.ts';

/** What a thread shows of a whole run: that the agent works, for whom, and on what. */

type ReadJournal = Pick<RunJournal, 'state' | 'items'>;

interface ShownRun extends Pick<RunInHand, 'waitingSinceMs'> {
  readonly journal: ReadJournal;
}

export interface SessionDeps {
  readonly surface: Pick<Surface, 'status'>;
  readonly timers: Timers;
}

/**
 * Shows that the agent works, and renews the status: Slack drops one that is not renewed. While the run waits for
 * people, the thread says so and nothing is renewed. Call the returned function when the agent stops working.
 */
export async function showWork(
  { surface, timers }: SessionDeps,
  { journal, waitingSinceMs }: ShownRun,
): Promise<() => void> {
  const { thread } = known(journal);
  const session = await sessionOf(journal);
  // Meanwhile another process may have ended the run. That process has shown that the work is over, and shows it once.
  if (known(journal).status.type !== 'running') return () => {};
  let stop = () => {};
  const renew = (): void => {
    stop = timers.after(LIMITS.statusRenewMs, () => {
      const waits =
        waitingSinceMs() !== undefined || pendingQuestions(known(journal)).some(({ kind }) => kind === 'inquiry');
      if (!waits) void surface.status(thread, 'processing');
      renew();
    });
  };
  await surface.status(thread, 'processing', session);
  renew();
  return () => stop();
}

/** Who began the session, and its title. Slack takes them when a session begins, and ignores them later. */
async function sessionOf(journal: ReadJournal): Promise<Session | undefined> {
  const { said, previous, turns, requester } = known(journal);
  const [first] = said;
  if (previous !== undefined || turns > 0 || first?.type !== 'message') return undefined;
  const [item] = await journal.items(first.item);
  if (item === undefined) return undefined;
  const message: Message = JSON.parse(item);
  return { title: titleOf(textOf(writtenIn(message))), initiator: requester };
}

/** The same of a message that is not in a journal yet. */
export function sessionBegunBy({ text, files, user }: Pick<InboxMessage, 'text' | 'files' | 'user'>): Session {
  return { title: titleOf(text, files?.[0]?.name), initiator: user };
}

/**
 * The first words of the first message, without names and marks: a title is read in lists, far from its thread. Where there
 * are none, the name of its first file.
 */
export function titleOf(text: string, file?: string): string {
  const plain = text
    .replace(/^<@[^>]*>:(?:\s|$)/, '')
    .replace(/<[@#!][^<>]*>/g, '')
    .replace(/[^\p{L}\p{N}\p{P}\p{Zs}\p{Sc}+=]/gu, ' ')
    .replace(/[*~`<>]/g, '')
    .replace(/_+/g, (marks, at: number, all: string) => (isInName(all, at, at + marks.length) ? marks : ''))
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...plain];
  if (plain === '') return file === undefined ? UNTITLED : titleOf(file);
  if (letters.length <= TITLE_CHARS) return plain;
  return `${letters
    .slice(0, TITLE_CHARS - 1)
    .join('')
    .trim()}…`;
}

/** Between letters or digits, underscores are part of a name and no mark. */
const isInName = (text: string, from: number, to: number): boolean =>
  [text[from - 1], text[to]].every((beside) => beside !== undefined && /[\p{L}\p{N}]/u.test(beside));

const TITLE_CHARS = 80;
const UNTITLED = 'A question';
