import type { Message } from '../../../interventions/index.ts';
import type { RunState } from '../../journal/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { UserId } from '../../records/index.ts';
import { type CallThatRan, ifNotRefused, type Post, type Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { type PostingDeps, postOnce } from './post-once.ts';
import { textOf } from './transcript.ts';
import { WORDS } from './words.ts';

/**
 * What the thread is told, once each. Something owed has a key; who posts it, and when it was posted, is in the journal.
 * Between the two lies the only doubt, and the surface settles it by looking for the key in the thread.
 */
export interface Posts {
  /** Posts unless it is known to be posted. Rejects when it could not be, or another process is at it: it stays owed. */
  readonly say: (key: string, words: Words) => Promise<void>;
  /** The same for what nobody waits for: a failure is logged. */
  readonly mention: (key: string, words: Words) => Promise<void>;
  /** When not even a receipt can be kept, because the store is away. */
  readonly shout: (text: string) => Promise<void>;
}

/** What is said, and by whom or because of whom. */
export type Words = Pick<Post, 'text' | 'signed' | 'endsTrust' | 'calls' | 'opinion' | 'into'>;

export function createPosts(
  deps: PostingDeps & { readonly surface: Pick<Surface, 'say' | 'takeBack'> },
  journal: RunJournal,
): Posts {
  const { surface, log } = deps;
  const say: Posts['say'] = async (key, words) => {
    const { thread } = known(journal);
    const posted = await postOnce(deps, journal, {
      key,
      standing: (now) => now.posted.get(key),
      send: (doubt) => surface.say(thread, { key: `${journal.run}/${key}`, ...words, ...doubt }),
      receipt: (_state, card) => [{ type: 'posted', key, card }],
      steps: ['post-begun', 'post-sent', 'post-recorded'],
    });
    if (posted.type === 'unsent') throw ifNotRefused(posted.error);
  };
  return {
    say,
    shout: async (text) => {
      const post = { key: `${journal.run}/away`, text, maybePosted: true };
      await surface.say(known(journal).thread, post).catch((error: unknown) => {
        log.warn('The thread could not be told.', { run: journal.run, error });
      });
    },
    mention: (key, words) =>
      say(key, words).catch((error: unknown) =>
        log.warn('The thread could not be told.', { run: journal.run, key, error }),
      ),
  };
}

/** What the thread has not been told: what could not be read, the model's texts, why the run was stopped, and an end without words. */
export function owedPosts(state: RunState): readonly Owed[] {
  if (state.unheard) return [];
  const turns = state.said.flatMap((said): Owed[] =>
    said.type === 'turn' && said.says ? [{ key: turnKey(said.turn), turn: said.turn, item: said.item }] : [],
  );
  const { status } = state;
  const stopped: Owed[] =
    status.type === 'stopped'
      ? [{ key: 'stopped', words: status.by === undefined ? { text: status.cause } : stoppedBy(status.by) }]
      : [];
  const unread = [...state.unread].map(([key, text]): Owed => ({ key: `unread/${key}`, words: { text } }));
  return [...unread, ...turns, ...stopped, ...endWithoutWords(state)].filter(({ key }) => !state.posted.has(key));
}

export type Owed =
  | { readonly key: string; readonly turn: number; readonly item: number }
  | { readonly key: string; readonly words: Words };

/** A run that was sealed before the bot told of this stays as it was told. */
function endWithoutWords(state: RunState): readonly Owed[] {
  const newest = state.said.at(-1);
  if (state.status.type === 'stopped' || state.sealed) return [];
  if (newest?.type !== 'turn' || !newest.last || newest.says) return [];
  const calls = callsBefore(state, newest.turn);
  const text = newest.stopReason === 'refusal' ? WORDS.declined : WORDS.wordless;
  return [{ key: `wordless/${newest.turn}`, words: { text, ...(calls.length === 0 ? {} : { calls }) } }];
}

const stoppedBy = (user: UserId): Words => ({ text: WORDS.stopped, signed: { label: 'Stopped by', user } });

/** Pays in order, and stops at the first that cannot be paid: a thread must not read the end before the beginning. */
export async function payPosts(journal: RunJournal, posts: Posts): Promise<void> {
  const state = known(journal);
  const debts = owedPosts(state);
  const newest = debts.findLast((owed) => 'item' in owed);
  for (const owed of debts) {
    const words = 'words' in owed ? owed.words : await wordsOfTurn(journal, owed);
    // What people read along with is the newest answer.
    const into = owed === newest ? state.writing?.card : undefined;
    await posts.say(owed.key, into === undefined ? words : { ...words, into });
  }
}

async function wordsOfTurn(
  journal: RunJournal,
  { turn, item }: Extract<Owed, { readonly item: number }>,
): Promise<Words> {
  const state = known(journal);
  const calls = callsBefore(state, turn);
  return {
    text: await textOfItem(journal, item),
    ...(calls.length === 0 ? {} : { calls }),
    ...(isLast(state, turn) ? { opinion: { run: state.run, turn } } : {}),
  };
}

/** What the model says on its way to something else is no answer yet. */
function isLast({ said }: RunState, turn: number): boolean {
  return said.some((one) => one.type === 'turn' && one.turn === turn && one.last);
}

/** What ran without a card since the thread was last told something: a card tells of its own call, a trust has a line. */
export function callsBefore({ said, calls }: RunState, turn: number): readonly CallThatRan[] {
  const turns = said.flatMap((one) => (one.type === 'turn' ? [one] : []));
  const until = turns.findIndex((one) => one.turn === turn);
  const from = turns.slice(0, Math.max(until, 0)).findLastIndex(({ says }) => says);
  return turns.slice(Math.max(from, 0), Math.max(until, 0)).flatMap((one) =>
    one.calls.flatMap((call): CallThatRan[] => {
      const execution = calls.get(call)?.execution ?? { type: 'none' };
      if (execution.type === 'none' || execution.grant.type !== 'open') return [];
      const { tool } = execution;
      if (execution.type !== 'finished') return [{ tool, outcome: 'unknown', ms: 0 }];
      return [{ tool, outcome: execution.ok ? 'ran' : 'failed', ms: execution.ms }];
    }),
  );
}

async function textOfItem(journal: RunJournal, item: number): Promise<string> {
  const [text] = await journal.items(item);
  if (text === undefined) throw new Error(`Item ${item} of ${journal.run} is missing. Check the store's durability.`);
  const message: Message = JSON.parse(text);
  return textOf(message);
}

const turnKey = (turn: number): string => `turn/${turn}`;
