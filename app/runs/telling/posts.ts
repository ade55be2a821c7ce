import type { Message } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { decideEnd, type EntryBody, type RunState } from '../../journal/index.ts';
import { orLog } from '../../or-log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { UserId } from '../../records/index.ts';
import { type CallThatRan, ifNotRefused, type Post, type Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { type PostingDeps, postOnce } from './post-once.ts';
import { textOf } from './transcript.ts';
import { WORDS } from './words.ts';

/**
 * What the thread is told, each text once. An owed text has a key. The journal has who posts it, and that it was
 * posted. After a crash between the two, the surface looks for the key in the thread.
 */
export interface Posts {
  /** Posts unless the journal has it as posted. Rejects when that fails or another process posts it: it stays owed. */
  readonly say: (key: string, words: Words) => Promise<void>;
  /** Call when a text was just written to the journal, maybe with the intent to post it: no process has tried it before. */
  readonly untried: (key: string) => void;
  /** The same for a text that is not owed: a failure is logged. */
  readonly mention: (key: string, words: Words) => Promise<void>;
  /** Posts without intent and receipt, for when the store is away. */
  readonly shout: (text: string) => Promise<void>;
}

/** What is said, and who said or caused it. */
export type Words = Pick<Post, 'text' | 'signed' | 'calls' | 'opinion' | 'into'>;

const UNTOLD = 'The thread could not be told.';

export interface PostsDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'say' | 'takeBack'>;
  /** Commits what may end the run. */
  readonly end: RunJournal['commit'];
}

export function createPosts(deps: PostsDeps, journal: RunJournal): Posts {
  const { surface, log, end } = deps;
  const untried = new Set<string>();
  const say: Posts['say'] = async (key, words) => {
    const { thread } = known(journal);
    const isEnd = endBehind(known(journal), key).length > 0;
    const posted = await postOnce(deps, journal, {
      key,
      untried: untried.delete(key),
      standing: (now) => now.posted.get(key),
      send: (earlier) => surface.say(thread, { key: `${journal.run}/${key}`, ...words, ...earlier }),
      receipt: (state, card) => [{ type: 'posted', key, card }, ...endBehind(state, key)],
      ...(isEnd ? { commit: end } : {}),
      steps: ['post-begun', 'post-sent', 'post-recorded'],
    });
    if (posted.type === 'unsent') throw ifNotRefused(posted.error);
  };
  return {
    say,
    untried: (key) => void untried.add(key),
    shout: async (text) => {
      const post = { key: `${journal.run}/away`, text, maybePosted: true };
      // Slack may be away as well. The run goes on when the store is back, told or not.
      await orLog(log.warn, UNTOLD, { run: journal.run }, () => surface.say(known(journal).thread, post));
    },
    mention: (key, words) =>
      // Slack may refuse or be away, or another process posts. Only the text is lost: it is not owed.
      orLog(log.warn, UNTOLD, { run: journal.run, key }, () => say(key, words)),
  };
}

/**
 * The end of the run, written with the place of its last answer. A call that has no known end may still be at work, and
 * the drive then writes the end of the run once it is not.
 */
function endBehind(state: RunState, key: string): readonly EntryBody[] {
  const newest = state.said.at(-1);
  const isAnswer = newest?.type === 'turn' && key === turnKey(newest.turn) && newest.calls.length === 0;
  const isAtWork = [...state.calls.values()].some(
    ({ execution: { type } }) => type === 'started' || type === 'unknown',
  );
  return isAnswer && !isAtWork ? decideEnd(state).entries : [];
}

/** What the thread has not been told yet: unreadable files, the model's texts, a stop, and an end without words. */
export function owedPosts(state: RunState): readonly Owed[] {
  if (state.unheard) return [];
  const turns = state.said.flatMap((said): Owed[] =>
    said.type === 'turn' && said.says ? [{ key: turnKey(said.turn), turn: said.turn, item: said.item }] : [],
  );
  const { status } = state;
  const stopped: Owed[] =
    status.type === 'stopped'
      ? [{ key: 'stopped', words: status.by === undefined ? { text: status.cause } : stoppedBy(status.by, state) }]
      : [];
  const unread = [...state.unread].map(([key, text]): Owed => ({ key: `unread/${key}`, words: { text } }));
  return [...unread, ...turns, ...stopped, ...endWithoutWords(state)].filter(({ key }) => !state.posted.has(key));
}

export type Owed =
  | { readonly key: string; readonly turn: number; readonly item: number }
  | { readonly key: string; readonly words: Words };

/** A run that was sealed before the bot had this text stays as it was told. */
function endWithoutWords(state: RunState): readonly Owed[] {
  const newest = state.said.at(-1);
  if (state.status.type === 'stopped' || state.sealed) return [];
  if (newest?.type !== 'turn' || !newest.last || newest.says) return [];
  const calls = callsBefore(state, newest.turn);
  const text = newest.stopReason === 'refusal' ? WORDS.declined : WORDS.wordless;
  return [{ key: `wordless/${newest.turn}`, words: { text, ...(calls.length === 0 ? {} : { calls }) } }];
}

/** Names what was waiting only if the stop cancelled a question. */
function stoppedBy(user: UserId, { approvals }: RunState): Words {
  const waited = [...approvals.values()].some(
    ({ standing }) => standing.status === 'cancelled' && standing.cause === WORDS.runStopped,
  );
  return { text: waited ? WORDS.stoppedWaiting : WORDS.stopped, signed: { label: 'Stopped by', user } };
}

/** Posts what is owed in order, and stops at the first failure: a thread must not read the end before the beginning. */
export async function payPosts(journal: RunJournal, posts: Posts): Promise<void> {
  const state = known(journal);
  const debts = owedPosts(state);
  const newest = debts.findLast((owed) => 'item' in owed);
  for (const owed of debts) {
    const words = 'words' in owed ? owed.words : await wordsOfTurn(journal, owed);
    // The growing reply shows the newest answer, so the post of that answer replaces it.
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
    text: (await textOfItem(journal, item)) ?? WORDS.lostWords,
    ...(calls.length === 0 ? {} : { calls }),
    ...(isLast(state, turn) ? { opinion: { run: state.run, turn } } : {}),
  };
}

/** What the model says before further tool calls is no answer yet. */
function isLast({ said }: RunState, turn: number): boolean {
  return said.some((one) => one.type === 'turn' && one.turn === turn && one.last);
}

/** The calls that ran without a card since the model last spoke. A card shows its own call, and a trust has a line. */
export function callsBefore({ said, calls }: RunState, turn: number): readonly CallThatRan[] {
  const before = said.flatMap((one) => (one.type === 'turn' && one.turn < turn ? [one] : []));
  const spoke = before.findLastIndex(({ says }) => says);
  return before.slice(Math.max(spoke, 0)).flatMap((one) =>
    one.calls.flatMap((call): CallThatRan[] => {
      const execution = calls.get(call)?.execution ?? { type: 'none' };
      if (execution.type === 'none' || execution.grant.type !== 'open') return [];
      const { tool } = execution;
      if (execution.type === 'started') return [{ tool, outcome: 'unknown', ms: 0 }];
      const limit = given({ limitMs: execution.limitMs });
      if (execution.type === 'unknown') return [{ tool, outcome: 'unknown', ms: 0, ...limit }];
      return [{ tool, outcome: execution.ok ? 'ran' : 'failed', ms: execution.ms, ...limit }];
    }),
  );
}

/** `undefined` when the store has lost it: the thread is told so, because the text would stay owed for ever. */
async function textOfItem(journal: RunJournal, item: number): Promise<string | undefined> {
  const [text] = await journal.items(item);
  if (text === undefined) return undefined;
  const message: Message = JSON.parse(text);
  return textOf(message);
}

export const turnKey = (turn: number): string => `turn/${turn}`;
