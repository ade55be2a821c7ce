import { given } from '../../given.ts';
import { RunId, ThreadKey } from '../../records/index.ts';
import { SEEN_MS } from '../keys.ts';
import type { Store } from '../store.ts';
import type { Todo } from '../todo.ts';
import type { OpenDatabase } from './database.ts';
import { count, type Statements, text } from './statements.ts';
import type { Write } from './transaction.ts';

/** The inbox of a thread and its current run. */
export function threads({ statements, write, clock }: OpenDatabase): Pick<Store, 'take' | 'thread' | 'inboxes'> {
  return {
    take: async ({ key, thread, item }) =>
      write(() => {
        const nowMs = clock.now();
        statements.forgetSeen.run(nowMs);
        if (statements.markSeen.run(key, nowMs + SEEN_MS).changes === 0) return 'seen';
        if (item !== undefined) {
          statements.addToInbox.run(thread, key, item);
          // The process that works on the thread keeps its lease, and finds the message in the inbox.
          statements.todoUnless.run(thread, nowMs);
        }
        return statements.currentRun.get(thread) === undefined ? 'taken' : 'added';
      }),
    thread: async (thread, most = ALL) => {
      const row = statements.thread.get({ thread });
      const [inboxLength, inbox] = [count(row), statements.inbox];
      return {
        currentRun: row?.run === null ? undefined : RunId.parse(text(row, 'run')),
        // Most threads are looked at while nothing waits in them.
        inbox:
          inboxLength === 0
            ? []
            : inbox.all(thread, most).map((row) => ({ key: text(row, 'key'), item: text(row, 'item') })),
        inboxLength,
        ...given({ aside: ASIDE.find((aside) => aside === row?.aside) }),
        deaths: wholeDeaths(row?.halves),
        nowMs: clock.now(),
      };
    },
    inboxes: async () => statements.inboxes.all().map((row) => ThreadKey.parse(text(row, 'thread'))),
  };
}

/** For SQLite, a limit below 0 is none. */
const ALL = -1;

const ASIDE = ['waiting', 'stopping', 'left'] as const;

/** The time of a thread that is set aside. */
export const NEVER_MS = 1e15;

/** Which thread needs to be advanced, and when. */
export function todo({ statements, write, writeSoon, clock }: OpenDatabase & { readonly writeSoon: Write }): Todo {
  const { put, drop, noteOf, halvesOf, deathsOf, countDeath } = notesIn(statements);
  return {
    ...settingAside({ statements, write, clock }),
    takeInHand: async ({ thread, by, leaseMs, earlyMs, suspectInMs, unsure = false }) =>
      // Without a wait for the disk: what is noted here tells of the death of the process alone.
      writeSoon(() => {
        const nowMs = clock.now();
        const [row, hand] = [statements.todoAt.get(thread), noteOf('hand', thread)];
        if (row === undefined || (count(row) > nowMs + earlyMs && !isOf(hand, by))) return undefined;
        if (hand !== undefined && !isOf(hand, by)) {
          if (unsure) return undefined;
          drop(thread, 'hand');
          countDeath(thread, hand);
        }
        const deaths = deathsOf(thread);
        const putOff = deaths > 0 && suspectInMs !== undefined;
        if (!putOff) put('hand', thread, by);
        statements.moveTodo.run(nowMs + (putOff ? suspectInMs : leaseMs), thread);
        return putOff ? undefined : deaths;
      }),
    letGo: async (thread, by, inMs) => {
      writeSoon(() => {
        if (!isOf(noteOf('hand', thread), by)) {
          if (halvesOf(thread) > 0) put('deaths', thread, Math.max(0, halvesOf(thread) - 2));
          return;
        }
        drop(thread, 'hand');
        if (inMs !== undefined) statements.moveTodo.run(clock.now() + inMs, thread);
      });
    },
    claimTodo: async ({ limit, leaseMs, mostMs = NEVER_MS }) =>
      write(() => {
        const nowMs = clock.now();
        const threads = statements.todoDue
          .all(nowMs, nowMs + mostMs, NEVER_MS, limit)
          .map((row) => ThreadKey.parse(text(row, 'thread')));
        for (const thread of threads) statements.moveTodo.run(nowMs + leaseMs, thread);
        return threads;
      }),
    claimThread: async (thread, leaseMs, earlyMs) => {
      const nowMs = clock.now();
      return write(() => statements.moveTodoIfDue.run(nowMs + leaseMs, thread, nowMs + earlyMs).changes === 1);
    },
    renewTodo: async (thread, leaseMs) => {
      write(() => statements.moveTodo.run(clock.now() + leaseMs, thread));
    },
    restTodo: async ({ thread, run, version, inboxLength }) =>
      // Without a wait for the disk: after a loss of power, the thread is looked at once more.
      writeSoon(() => {
        const row = statements.thread.get({ thread });
        if ((row?.run ?? undefined) !== run || count(row) !== inboxLength || row?.aside !== null) return false;
        if (run !== undefined && count(statements.version.get(run)) !== version) return false;
        statements.removeTodo.run(thread);
        drop(thread, 'hand', 'deaths');
        return true;
      }),
  };
}

function settingAside({
  statements,
  write,
  clock,
}: Pick<OpenDatabase, 'statements' | 'write' | 'clock'>): Pick<Todo, 'setAside' | 'takeUp' | 'abandon'> {
  const { put, drop, noteOf, halvesOf, deathsOf } = notesIn(statements);
  return {
    setAside: async (thread, how, from) =>
      write(() => {
        if (from !== undefined && !isOf(noteOf('hand', thread), from.by)) return false;
        if (from !== undefined && deathsOf(thread) < from.deaths) return false;
        if (noteOf('aside', thread) === 'left') return false;
        statements.putTodo.run(thread, NEVER_MS);
        drop(thread, 'hand', 'deaths');
        put('aside', thread, how);
        return true;
      }),
    takeUp: async (thread, deaths) => {
      write(() => {
        const [aside, most] = [noteOf('aside', thread), deaths === 'told' ? 0 : deaths];
        if ((aside === 'left') !== (deaths === 'told')) return;
        if (aside === undefined && deathsOf(thread) <= most) return;
        drop(thread, 'hand', 'aside', 'deaths');
        if (most > 0) put('deaths', thread, 2 * most);
        statements.putTodo.run(thread, clock.now());
      });
    },
    abandon: async (thread, run, seen = Number.MAX_SAFE_INTEGER) =>
      write(() => {
        const [current, aside] = [statements.currentRun.get(thread)?.run, noteOf('aside', thread)];
        if (current === undefined && aside === 'left') return true;
        if (current !== run) return current === undefined && aside === undefined && halvesOf(thread) === 0;
        drop(thread, 'hand', 'deaths');
        put('aside', thread, 'left');
        statements.dropInbox.run(thread, seen);
        if (run !== undefined) statements.leaveThread.run(thread, run);
        statements.putTodo.run(thread, clock.now());
        return true;
      }),
  };
}

type Note = 'hand' | 'deaths' | 'aside';

const isOf = (hand: string | undefined, by: string): boolean => hand === by || hand === `${by}+`;

/** The note counts halves. Without one there are none. */
const wholeDeaths = (halves: unknown): number => Math.floor(Number(halves ?? 0) / 2);

/** What is noted about a thread. */
function notesIn(statements: Statements) {
  const put = (note: Note, thread: ThreadKey, value: string | number): void => {
    statements.dropNote.run(note, thread);
    statements.addMember.run(note, thread, `${value}`);
  };
  const drop = (thread: ThreadKey, ...notes: readonly Note[]): void => {
    for (const note of notes) statements.dropNote.run(note, thread);
  };
  const noteOf = (note: Note, thread: ThreadKey): string | undefined => {
    const row = statements.note.get(note, thread);
    return row === undefined ? undefined : text(row, 'member');
  };
  const halvesOf = (thread: ThreadKey): number => Number(noteOf('deaths', thread) ?? 0);
  const deathsOf = (thread: ThreadKey): number => wholeDeaths(halvesOf(thread));
  /** Half a death where the process had others in hand, but at first a whole one. */
  const countDeath = (thread: ThreadKey, hand: string): void => {
    const isShared = hand.endsWith('+') || statements.diedWithOthers.run(hand).changes > 0;
    put('deaths', thread, isShared ? Math.max(2, halvesOf(thread) + 1) : halvesOf(thread) + 2);
  };
  return { put, drop, noteOf, halvesOf, deathsOf, countDeath };
}
