import { type Entry, EntryBody, hashLine, readLine, TrustEntryBody, WorkspaceBody } from '../../journal/index.ts';
import type { JournalName, RunId } from '../../records/index.ts';
import type { Store } from '../../store/index.ts';
import { textOf } from './inputs.ts';

export interface ExportOptions {
  readonly run?: RunId;
  readonly sinceMs?: number;
  /** Inputs, summaries and the agent's own words may be confidential, so they are exported only when asked for. */
  readonly inputs: boolean;
}

/** One line of JSON for each entry, for tools that read logs. A line has only the fields of its entry. */
export async function* exportLines(
  store: Pick<Store, 'journals' | 'read' | 'readItems'>,
  { run, sinceMs = 0, inputs }: ExportOptions,
): AsyncGenerator<string> {
  for (const name of run === undefined ? await store.journals('run') : [run]) {
    const items = inputs ? await store.readItems(name) : [];
    yield* linesOf(store, name, sinceMs, runReader({ inputs, items }));
  }
  if (run !== undefined) return;
  for (const name of await store.journals('grant')) yield* linesOf(store, name, sinceMs, readTrust);
  for (const name of await store.journals('workspace')) yield* linesOf(store, name, sinceMs, readWorkspace);
}

type Fields = Readonly<Record<string, unknown>>;
type Reader = (text: string) => { readonly atMs: number; readonly fields: Fields };

async function* linesOf(
  store: Pick<Store, 'read'>,
  journal: JournalName,
  sinceMs: number,
  read: Reader,
): AsyncGenerator<string> {
  const { entries } = await store.read(journal);
  for (const [position, { id, text }] of entries.entries()) {
    const common = { journal, position, id };
    try {
      const { atMs, fields } = read(text);
      if (atMs < sinceMs) continue;
      yield JSON.stringify({ ...common, time: new Date(atMs).toISOString(), ...fields, hash: hashLine(text) });
      // The line is damaged, or of a newer version. The export names it and goes on.
    } catch {
      yield JSON.stringify({ ...common, kind: 'unreadable', hash: hashLine(text) });
    }
  }
}

/** Reads an entry of a run and adds what earlier entries said about the same call. */
export function runReader({ inputs, items }: { readonly inputs: boolean; readonly items: readonly string[] }): Reader {
  let run: Fields = {};
  const approvals = new Map<string, Fields>();
  const calls = new Map<string, Fields>();
  const quoted = quotedWith(inputs, items);

  return (text) => {
    const { entry } = readLine(EntryBody, text);
    const { type, id: _id, atMs, ...said } = entry;
    if (entry.type === 'run-started') {
      const { team, channel, ts } = entry.thread;
      run = { run: entry.run, thread: `${team}:${channel}:${ts}` };
    }
    if (entry.type === 'call-asked') {
      const { approval, call, tool, digest, effect } = entry;
      approvals.set(approval, { call, tool, digest });
      const shown = inputs
        ? { summary: entry.summary, reason: entry.reason, input: textOf(entry.shown ?? entry.input, items) }
        : {};
      const fields = { ...run, kind: type, approval, call, tool, digest, effect, rule: entry.rule, ...shown };
      return { atMs, fields };
    }
    if (entry.type === 'call-started') calls.set(entry.call, { tool: entry.tool, digest: entry.digest });
    const about = 'approval' in entry ? approvals.get(entry.approval) : 'call' in entry ? calls.get(entry.call) : {};
    const { thread: _thread, run: _run, requester: _requester, by: _by, user: _user, ...rest } = readAll(said);
    return { atMs, fields: { ...run, kind: type, who: whoOf(entry), ...about, ...rest, ...quoted(entry) } };
  };
}

/** What people and tool servers wrote is as confidential as the input of a call. */
const quotedWith =
  (inputs: boolean, items: readonly string[]) =>
  (entry: Entry): Fields => {
    if (entry.type === 'call-decided' && entry.edit !== undefined) {
      const { input, shown = input, digest, summary } = entry.edit;
      return { edit: inputs ? { digest, summary, input: textOf(shown, items) } : { digest } };
    }
    if (entry.type === 'inquiry-asked' && !inputs) return { message: undefined, schema: undefined };
    if (entry.type === 'person-said' && !inputs) return { unread: undefined };
    if (entry.type === 'inquiry-settled') return { content: undefined };
    return {};
  };

/** The person who acted, if a person did. */
function whoOf(entry: Entry): string | undefined {
  if (entry.type === 'run-started') return entry.requester;
  if (entry.type === 'person-said') return entry.user;
  return 'by' in entry ? entry.by : undefined;
}

const readAll = (fields: Fields): Fields => fields;

const readTrust: Reader = (text) => {
  const { entry } = readLine(TrustEntryBody, text);
  const { type, id: _id, atMs, ...fields } = entry;
  return { atMs, fields: { kind: type, who: 'by' in entry ? entry.by : undefined, ...fields } };
};

const readWorkspace: Reader = (text) => {
  const { type, id: _id, atMs, ...fields } = readLine(WorkspaceBody, text).entry;
  return { atMs, fields: { kind: type, ...fields } };
};
