import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { hashLine, NO_HEAD } from '../../app/journal/line/line.ts';
import { retireByHand } from './retire-by-hand.ts';

/** What a person with access to the file may do to it, as SECURITY.md lists it, and what `verify` says of it. */
export interface Tampering {
  readonly row: string;
  readonly change: (file: DatabaseSync) => unknown;
  /** `never`: it only adds. Absent: `verify` finds it only with a hash that a person kept. */
  readonly finds?: RegExp | 'never';
}

const Row = z.object({ run: z.string(), position: z.number() });

/** The place of the one item that is like this. */
function itemLike(file: DatabaseSync, like: string): z.infer<typeof Row> {
  return Row.parse(file.prepare('SELECT run, position FROM items WHERE text LIKE ? ORDER BY run LIMIT 1').get(like));
}

function rewriteItem(file: DatabaseSync, like: string, from: string, to: string): void {
  const { run, position } = itemLike(file, like);
  file
    .prepare('UPDATE items SET text = replace(text, ?, ?) WHERE run = ? AND position = ?')
    .run(from, to, run, position);
}

/** The hash of the last entry of each journal, as a person may keep it. */
export function lastHashes(file: DatabaseSync): readonly string[] {
  const lines = file.prepare(
    'SELECT text FROM entries AS one WHERE position = (SELECT max(position) FROM entries WHERE journal = one.journal)',
  );
  return z
    .array(z.object({ text: z.string() }))
    .parse(lines.all())
    .map(({ text }) => hashLine(text));
}

/** The run that waits for a person. */
function openRun(file: DatabaseSync): string {
  const sealed = `SELECT journal FROM entries WHERE text LIKE '%"type":"sealed"%'`;
  const open = file.prepare(
    `SELECT journal FROM entries WHERE substr(journal, 3, 1) = 'r' AND journal NOT IN (${sealed})`,
  );
  return z.object({ journal: z.string() }).parse(open.get()).journal;
}

function lastEntry(file: DatabaseSync, journal: string, like: string): { readonly position: number } {
  const found = file.prepare('SELECT max(position) AS position FROM entries WHERE journal = ? AND text LIKE ?');
  return z.object({ position: z.number() }).parse(found.get(journal, like));
}

/** Cuts the journal of the workspace off at what it says last of the end of a run, and returns that run. */
function cutLastSeal(file: DatabaseSync): string {
  const sealed = file.prepare(`SELECT journal, position, text FROM entries WHERE text LIKE '%"type":"run-sealed"%'`);
  const Sealed = z.object({ journal: z.string(), position: z.number(), text: z.string() });
  const { journal, position, text } = Sealed.parse(sealed.all().at(-1));
  file.prepare('DELETE FROM entries WHERE journal = ? AND position >= ?').run(journal, position);
  const [, run = ''] = /"run":"([^"]+)"/.exec(text) ?? [];
  return run;
}

function removeListedRun(file: DatabaseSync, run: string): void {
  file.prepare('DELETE FROM members WHERE member IN (SELECT approval FROM approvals WHERE run = ?)').run(run);
  removeRun(file, run);
}

/** Cuts off the question for which the open run waits. */
function cutQuestion(file: DatabaseSync): string {
  const run = openRun(file);
  const { position } = lastEntry(file, run, '%"type":"call-asked"%');
  const [, question = ''] = /"approval":"([^"]+)"/.exec(textAt(file, run, position)) ?? [];
  file.prepare('DELETE FROM entries WHERE journal = ? AND position >= ?').run(run, position);
  return question;
}

/** The run in which a call was approved, and the position of the entry that says that it is sealed. */
function overRun(file: DatabaseSync): z.infer<typeof Row> {
  const found = file.prepare(`
    SELECT journal AS run, position FROM entries WHERE text LIKE '%"type":"sealed"%' AND journal IN
      (SELECT journal FROM entries WHERE text LIKE '%"verdict":"approve"%')`);
  return Row.parse(found.get());
}

function rewriteEntry(file: DatabaseSync, journal: string, position: number, change: (text: string) => string): void {
  file
    .prepare('UPDATE entries SET text = ? WHERE journal = ? AND position = ?')
    .run(change(textAt(file, journal, position)), journal, position);
}

function textAt(file: DatabaseSync, journal: string, position: number): string {
  const found = file.prepare('SELECT text FROM entries WHERE journal = ? AND position = ?').get(journal, position);
  return z.object({ text: z.string() }).parse(found).text;
}

/** Names another approver, and chains all entries of the run anew. Returns the hash of its end before and after. */
function makeAnew(file: DatabaseSync): { readonly before: string; readonly after: string } {
  const { run, position } = overRun(file);
  const headOf = () => hashLine(textAt(file, run, position));
  const before = headOf();
  const { position: decided } = lastEntry(file, run, '%"type":"call-decided"%');
  rewriteEntry(file, run, decided, (text) => text.replace(/"by":"[^"]*"/, '"by":"U0EVE00001"'));
  chainAnew(file, run);
  return { before, after: headOf() };
}

function removeRun(file: DatabaseSync, run: string): void {
  for (const sql of REMOVALS) file.prepare(sql).run(run);
}

const REMOVALS = ['entries WHERE journal', 'items WHERE run', 'approvals WHERE run', 'threads WHERE run'].map(
  (where) => `DELETE FROM ${where} = ?`,
);
const COPY_ENTRIES =
  'INSERT INTO entries (journal, position, id, text) SELECT ?, position, id, replace(text, ?, ?) FROM entries WHERE journal = ?';
const COPY_ITEMS = 'INSERT INTO items (run, position, text) SELECT ?, position, text FROM items WHERE run = ?';

/** Adds an entry behind the last one, as a bot would chain it. */
function addEntry(file: DatabaseSync, journal: string, body: object): void {
  const found = file.prepare('SELECT count(*) AS position FROM entries WHERE journal = ?').get(journal);
  const { position } = z.object({ position: z.number() }).parse(found);
  const prev = position === 0 ? NO_HEAD : hashLine(textAt(file, journal, position - 1));
  const id = `added-${position}`;
  const text = JSON.stringify({ v: 1, id, atMs: 1_800_000_000_000 + position, prev, body });
  file
    .prepare('INSERT INTO entries (journal, position, id, text) VALUES (?, ?, ?, ?)')
    .run(journal, position, id, text);
}

function bodyAt(file: DatabaseSync, journal: string, position: number): Readonly<Record<string, unknown>> {
  const Line = z.object({ body: z.record(z.string(), z.unknown()) });
  return Line.parse(JSON.parse(textAt(file, journal, position))).body;
}

/** Adds a yes to the question for which the open run waits. */
function addYes(file: DatabaseSync): string {
  const run = openRun(file);
  const { approval } = bodyAt(file, run, lastEntry(file, run, '%"type":"call-asked"%').position);
  addEntry(file, run, { type: 'call-decided', approval, verdict: 'approve', by: 'U0EVE00001' });
  return String(approval);
}

/** Another id of the same kind. */
const otherThan = (id: string): string => `${id.slice(0, -1)}${id.endsWith('A') ? 'Q' : 'A'}`;

/** The trust that no call has used. */
function unusedTrust(file: DatabaseSync): string {
  const used = `SELECT journal FROM entries WHERE text LIKE '%"type":"grant-used"%'`;
  const found = file.prepare(
    `SELECT journal FROM entries WHERE substr(journal, 3, 1) = 'g' AND journal NOT IN (${used})`,
  );
  return z.object({ journal: z.string() }).parse(found.get()).journal;
}

/** As a person does who knows how the chain is made. */
function chainAnew(file: DatabaseSync, journal: string): void {
  let prev = NO_HEAD;
  for (const row of file
    .prepare('SELECT position, text FROM entries WHERE journal = ? ORDER BY position')
    .all(journal)) {
    const { position, text: before } = z.object({ position: z.number(), text: z.string() }).parse(row);
    const text = before.replace(/"prev":"[^"]*"/, `"prev":"${prev}"`);
    file.prepare('UPDATE entries SET text = ? WHERE journal = ? AND position = ?').run(text, journal, position);
    prev = hashLine(text);
  }
}

export const TAMPERINGS: readonly Tampering[] = [
  {
    row: 'An entry with other words',
    change: (file) => {
      const { run, position } = overRun(file);
      rewriteEntry(file, run, position - 1, (text) => text.replace('"v":1', '"v":1,"more":1'));
    },
    finds: /entry \d+ \(\S+\) does not stand on entry \d+: that one was altered/,
  },
  {
    row: 'An entry with a text that only looks encrypted',
    change: (file) => {
      const run = openRun(file);
      rewriteEntry(file, run, lastEntry(file, run, '%').position, () => 'sealed:1.key.nonce.rest');
    },
    finds: /has encrypted entries \(1\), and the store has no record of a key\. No bot wrote them/,
  },
  {
    row: 'A removed entry',
    change: (file) => file.prepare('DELETE FROM entries WHERE journal = ? AND position = 2').run(overRun(file).run),
    finds: /1 of its \d+ entries is missing/,
  },
  {
    row: 'Two entries in another order',
    change: (file) => {
      const { run } = overRun(file);
      const places = [
        [2, -1],
        [3, 2],
        [-1, 3],
      ] as const;
      for (const [from, to] of places)
        file.prepare('UPDATE entries SET position = ? WHERE journal = ? AND position = ?').run(to, run, from);
    },
    finds: /entry 2 \(\S+\) stands on entry 3: entries were reordered/,
  },
  {
    row: 'The cut end of a run that was over',
    change: (file) => {
      const { run, position } = overRun(file);
      file.prepare('DELETE FROM entries WHERE journal = ? AND position >= ?').run(run, position - 2);
    },
    finds: /its end was cut off\. It had \d+ entries when it ended, and has \d+/,
  },
  {
    row: 'A removed run that was over',
    change: (file) => removeRun(file, overRun(file).run),
    finds: /was removed\. It had \d+ entries when it ended/,
  },
  {
    row: 'A chain of a run that was over, made anew',
    change: (file) => makeAnew(file),
    finds: /was written anew\. Its entry \d+ is not the one it ended with/,
  },
  {
    row: 'A removed run, with a record that retention removed it',
    change: retireByHand,
    finds: /is recorded as removed by retention, and the configuration on record had none when the run ended/,
  },
  {
    row: 'Other words of a person or the model',
    change: (file) => rewriteItem(file, '%"text":"%restart the payments service%"%', 'payments', 'billing'),
    finds: /item 0, which entry 1 brought, is not as it was written/,
  },
  {
    row: 'Another result of a tool',
    change: (file) => rewriteItem(file, '%was restarted%', 'restarted', 'stopped'),
    finds: /item \d+, which entry \d+ brought, is not as it was written/,
  },
  {
    row: 'A removed message, answer or result',
    change: (file) => {
      const { run, position } = itemLike(file, '%was restarted%');
      file.prepare('DELETE FROM items WHERE run = ? AND position = ?').run(run, position);
    },
    finds: /item \d+, which entry \d+ brought, is missing/,
  },
  {
    row: 'The end of an open run, with what it said',
    change: (file) => {
      const run = openRun(file);
      const { position } = lastEntry(file, run, '%"type":"turn-answered"%');
      file.prepare('DELETE FROM entries WHERE journal = ? AND position >= ?').run(run, position);
    },
    finds: /its end was cut off\. 1 of its 2 items came with no entry that is left/,
  },
  {
    row: 'A removed open run',
    change: (file) => removeRun(file, openRun(file)),
    finds: /was removed\. The journal of its workspace has its beginning/,
  },
  {
    row: 'An invented run',
    change: (file) => {
      const run = openRun(file);
      const invented = otherThan(run);
      file.prepare(COPY_ENTRIES).run(invented, run, invented, run);
      file.prepare(COPY_ITEMS).run(invented, run);
      chainAnew(file, invented);
    },
    finds: /the model answered in it, and the journal of its workspace does not have its beginning/,
  },
  {
    row: 'An invented run in which a call was approved and started without the model',
    change: (file) => {
      const { run } = overRun(file);
      const [invented, approval] = [otherThan(run), '00aInventedInventedInvent'];
      for (const [type, more] of [
        ['run-started', { run: invented }],
        ['call-asked', { approval }],
        ['call-decided', { approval }],
        ['call-started', { grant: { type: 'approval', approval } }],
      ] as const)
        addEntry(file, invented, {
          ...bodyAt(file, run, lastEntry(file, run, `%"type":"${type}"%`).position),
          ...more,
        });
    },
    finds: /a call was asked for in it, and the journal of its workspace does not have its beginning/,
  },
  {
    row: 'The removed end of a trust',
    change: (file) => {
      const revoked = file.prepare(`SELECT journal, position FROM entries WHERE text LIKE '%"type":"grant-revoked"%'`);
      const { journal, position } = z.object({ journal: z.string(), position: z.number() }).parse(revoked.get());
      file.prepare('DELETE FROM entries WHERE journal = ? AND position = ?').run(journal, position);
      file.prepare("INSERT INTO members (list, name, member) VALUES ('grants', 'T0SANDBOX:given', ?)").run(journal);
    },
    finds: /its end was cut off\. It had \d entries when it ended, and has \d/,
  },
  {
    row: 'A trust in the place of another',
    change: (file) => {
      const trust = unusedTrust(file);
      file.prepare('UPDATE entries SET journal = ? WHERE journal = ?').run(otherThan(trust), trust);
    },
    finds: /is a copy of trust \d{2}g/,
  },
  {
    row: 'The cut end of the journal of a workspace, which told of the end of a run',
    change: (file) => {
      cutLastSeal(file);
      removeRun(file, openRun(file));
    },
    finds: /the journal of its workspace had its end, and does not have it any more/,
  },
  {
    row: 'The end of an open run, of which a list of questions still knows',
    change: cutQuestion,
    finds: /its end was cut off\. A list has question \S+, and no entry asks it/,
  },
  {
    row: 'The end of an open run, of which a list of questions still knows without its run',
    change: (file) => file.prepare('DELETE FROM approvals WHERE approval = ?').run(cutQuestion(file)),
    finds: /A list has \S+ as an open question, and no run: an end was cut off, or the list was changed/,
  },
  {
    row: 'A list of open questions with something else in it',
    change: (file) => file.exec("UPDATE members SET member = 'something else' WHERE list = 'asked'"),
    finds: /A list has something else as an open question, and no run/,
  },
  {
    row: 'A yes that was added to an open run, whose question is open on a list',
    change: addYes,
    finds: /is over in it, and open on a list: its answer was added, or the list was changed/,
  },
  {
    row: 'The end of an open run without messages or results, with its entries in lists',
    change: (file) => {
      const question = cutQuestion(file);
      file.prepare('DELETE FROM members WHERE member = ?').run(question);
      file.prepare('DELETE FROM approvals WHERE approval = ?').run(question);
    },
  },
  {
    row: 'The chains of a run and of its workspace, both made anew',
    change: (file) => {
      const heads = makeAnew(file);
      const sealed = file
        .prepare('SELECT journal, position FROM entries WHERE text LIKE ?')
        .get(`%"run-sealed"%${heads.before}%`);
      const { journal, position } = z.object({ journal: z.string(), position: z.number() }).parse(sealed);
      rewriteEntry(file, journal, position, (text) => text.replace(heads.before, heads.after));
      chainAnew(file, journal);
    },
  },
  {
    row: 'A removed trust that no call has used and that has no end',
    change: (file) => file.prepare('DELETE FROM entries WHERE journal = ?').run(unusedTrust(file)),
  },
  {
    row: 'Other words in an open run or a trust that has not ended, with its chain made anew',
    change: (file) => {
      const [run, trust] = [openRun(file), unusedTrust(file)];
      const { position } = lastEntry(file, run, '%"type":"call-asked"%');
      rewriteEntry(file, run, position, (text) => text.replace(/"summary":"[^"]*"/, '"summary":"Look at it."'));
      rewriteEntry(file, trust, 0, (text) => text.replace('"scope":"thread"', '"scope":"channel"'));
      chainAnew(file, run);
    },
  },
  {
    row: 'A removed open run, with its entries in lists and the end of the journal of its workspace',
    change: (file) => {
      const run = openRun(file);
      const begun = file
        .prepare('SELECT journal, position FROM entries WHERE text LIKE ?')
        .get(`%"run-begun","run":"${run}"%`);
      const { journal, position } = z.object({ journal: z.string(), position: z.number() }).parse(begun);
      file.prepare('DELETE FROM entries WHERE journal = ? AND position >= ?').run(journal, position);
      removeListedRun(file, run);
    },
  },
  {
    row: 'The cut end of the journal of a workspace, which told of the end of a run, with the mark of that end in the run',
    change: (file) => {
      removeListedRun(file, openRun(file));
      const run = cutLastSeal(file);
      const { position } = lastEntry(file, run, '%"type":"sealed"%');
      file.prepare('DELETE FROM entries WHERE journal = ? AND position >= ?').run(run, position);
    },
  },
  {
    row: 'The cut end of what was written behind the end of a run',
    change: (file) => {
      const behind = file.prepare(`
        SELECT journal, max(position) AS position FROM entries WHERE journal IN
          (SELECT journal FROM entries WHERE text LIKE '%"type":"sealed"%') GROUP BY journal
        HAVING max(position) > max(CASE WHEN text LIKE '%"type":"sealed"%' THEN position END)`);
      const { journal, position } = z.object({ journal: z.string(), position: z.number() }).parse(behind.get());
      file.prepare('DELETE FROM entries WHERE journal = ? AND position = ?').run(journal, position);
    },
  },
  {
    row: 'A yes that was added to an open run, with its entries in lists',
    change: (file) => file.prepare('DELETE FROM members WHERE member = ?').run(addYes(file)),
    finds: 'never',
  },
  {
    row: 'A trust that was added',
    change: (file) => {
      const trust = unusedTrust(file);
      addEntry(file, otherThan(trust), { ...bodyAt(file, trust, 0), grant: otherThan(trust) });
    },
    finds: 'never',
  },
];
