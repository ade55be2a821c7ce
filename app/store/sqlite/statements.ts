import type { DatabaseSync, StatementSync } from 'node:sqlite';

// SQLite plans a statement anew whenever a bare parameter after LIMIT gets a value. It does not for a sum.
const SQL = {
  version: 'SELECT COALESCE(MAX(position) + 1, 0) AS count FROM entries WHERE journal = ?',
  lastEntry: 'SELECT position + 1 AS count, id FROM entries WHERE journal = ? ORDER BY position DESC LIMIT 1',
  entryId: 'SELECT id FROM entries WHERE journal = ? AND position = ?',
  entriesBetween:
    'SELECT id, text FROM entries WHERE journal = ? AND position >= ? AND position < ? ORDER BY position LIMIT ? + 0',
  addEntry: 'INSERT INTO entries (journal, position, id, text) VALUES (?, ?, ?, ?)',

  journals: 'SELECT DISTINCT journal FROM entries WHERE substr(journal, 3, 1) = ?',

  itemCount: 'SELECT COALESCE(MAX(position) + 1, 0) AS count FROM items WHERE run = ?',
  itemFrom: 'SELECT position AS count, text FROM items WHERE run = ? AND position >= ? ORDER BY position LIMIT 1',
  addItem: 'INSERT INTO items (run, position, text) VALUES (?, ?, ?)',

  runOfApproval: 'SELECT run FROM approvals WHERE approval = ?',
  putApproval: 'INSERT INTO approvals (approval, run) VALUES (?, ?) ON CONFLICT DO UPDATE SET run = excluded.run',

  memberCount: 'SELECT COUNT(*) AS count FROM members WHERE list = ? AND name = ?',
  isMember: 'SELECT member FROM members WHERE list = ? AND name = ? AND member = ?',
  members: 'SELECT member FROM members WHERE list = ? AND name = ? LIMIT ? + 0',
  addMember: 'INSERT INTO members (list, name, member) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  removeMember: 'DELETE FROM members WHERE list = ? AND name = ? AND member = ?',

  thread: `SELECT
      (SELECT run FROM threads WHERE thread = :thread) AS run,
      (SELECT COUNT(*) FROM inbox WHERE thread = :thread) AS count,
      (SELECT member FROM members WHERE list = 'aside' AND name = :thread) AS aside,
      (SELECT member FROM members WHERE list = 'deaths' AND name = :thread) AS halves`,
  currentRun: 'SELECT run FROM threads WHERE thread = ?',
  putCurrentRun: 'INSERT INTO threads (thread, run) VALUES (?, ?) ON CONFLICT DO UPDATE SET run = excluded.run',
  removeCurrentRun: 'DELETE FROM threads WHERE thread = ?',

  inbox: 'SELECT key, item FROM inbox WHERE thread = ? ORDER BY number LIMIT ? + 0',
  inboxes: 'SELECT DISTINCT thread FROM inbox',
  isInInbox: 'SELECT 1 FROM inbox WHERE thread = ? AND key = ?',
  addToInbox: 'INSERT INTO inbox (thread, key, item) VALUES (?, ?, ?)',
  dropFromInbox: 'DELETE FROM inbox WHERE thread = ? AND key = ?',
  dropInbox:
    'DELETE FROM inbox WHERE number IN (SELECT number FROM inbox WHERE thread = ? ORDER BY number LIMIT ? + 0)',
  markSeen: 'INSERT INTO seen (key, until_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  forgetSeen: 'DELETE FROM seen WHERE until_ms <= ?',

  todoUnless: 'INSERT INTO todo (thread, at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  todoDue: 'SELECT thread FROM todo WHERE at_ms <= ? OR (at_ms > ? AND at_ms < ?) ORDER BY at_ms, thread LIMIT ? + 0',
  moveTodo: 'UPDATE todo SET at_ms = ? WHERE thread = ?',
  moveTodoIfDue: 'UPDATE todo SET at_ms = ? WHERE thread = ? AND at_ms <= ?',
  todoIsDue: 'UPDATE todo SET at_ms = MIN(at_ms, ?) WHERE at_ms < ?',
  todoAt: 'SELECT at_ms AS count FROM todo WHERE thread = ?',
  putTodo: 'INSERT INTO todo (thread, at_ms) VALUES (?, ?) ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms',
  removeTodo: 'DELETE FROM todo WHERE thread = ?',
  // Notes about a thread are members of a list in its name, so that a file of an older version needs no change.
  note: 'SELECT member FROM members WHERE list = ? AND name = ?',
  dropNote: 'DELETE FROM members WHERE list = ? AND name = ?',
  // A plus says that the process died with other threads in hand as well.
  diedWithOthers: "UPDATE members SET member = member || '+' WHERE list = 'hand' AND member = ?",

  putDue: 'INSERT INTO due (word, at_ms) VALUES (?, ?) ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms',
  dueNow: 'SELECT word FROM due WHERE at_ms <= ? ORDER BY at_ms, word LIMIT ? + 0',
  moveDue: 'UPDATE due SET at_ms = ? WHERE word = ?',
  removeEntries: 'DELETE FROM entries WHERE journal = ?',
  removeItems: 'DELETE FROM items WHERE run = ?',
  removeApproval: 'DELETE FROM approvals WHERE approval = ?',
  leaveThread: 'DELETE FROM threads WHERE thread = ? AND run = ?',
  removeDue: 'DELETE FROM due WHERE word = ?',
} as const;

export type Statements = { readonly [Name in keyof typeof SQL]: StatementSync };

/** Every statement of the engine, prepared once. */
export function prepareStatements(database: DatabaseSync): Statements {
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Statements; // The entries of SQL, each prepared.
}

type Row = ReturnType<StatementSync['get']>;

/** The text in a column. The tables are strict, so only a file that was changed by hand holds anything else. */
export function text(row: Row, column: string): string {
  const value = row?.[column];
  if (typeof value === 'string') return value;
  throw new Error(`Column ${column} holds no text. The database was changed by hand; restore it from a copy.`);
}

export function count(row: Row): number {
  return Number(row?.count);
}
