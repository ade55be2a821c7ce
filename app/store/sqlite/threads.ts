import { RunId, ThreadKey } from '../../records/index.ts';
import { SEEN_MS } from '../keys.ts';
import type { Store } from '../store.ts';
import type { Todo } from '../todo.ts';
import type { OpenDatabase } from './database.ts';
import { count, text } from './statements.ts';

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
    thread: async (thread) => {
      const row = statements.currentRun.get(thread);
      return {
        currentRun: row === undefined ? undefined : RunId.parse(text(row, 'run')),
        inbox: statements.inbox.all(thread).map((row) => ({ key: text(row, 'key'), item: text(row, 'item') })),
        nowMs: clock.now(),
      };
    },
    inboxes: async () => statements.inboxes.all().map((row) => ThreadKey.parse(text(row, 'thread'))),
  };
}

/** Which thread needs to be advanced, and when. */
export function todo({ statements, write, clock }: OpenDatabase): Todo {
  return {
    claimTodo: async ({ limit, leaseMs }) =>
      write(() => {
        const nowMs = clock.now();
        const threads = statements.todoDue.all(nowMs, limit).map((row) => ThreadKey.parse(text(row, 'thread')));
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
      write(() => {
        const row = statements.currentRun.get(thread);
        const current = row === undefined ? undefined : text(row, 'run');
        if (current !== run || count(statements.inboxCount.get(thread)) !== inboxLength) return false;
        if (run !== undefined && count(statements.version.get(run)) !== version) return false;
        statements.removeTodo.run(thread);
        return true;
      }),
  };
}
