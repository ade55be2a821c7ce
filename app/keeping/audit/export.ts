import {
  type Entry,
  EntryBody,
  type EntryOf,
  hashLine,
  readLine,
  sentenceOf,
  sentenceOfTrust,
  sentenceOfWorkspace,
  TrustEntryBody,
  WorkspaceBody,
} from '../../journal/index.ts';
import type { JournalName, RunId } from '../../records/index.ts';
import { isSealed } from '../../store/index.ts';
import { textOf } from './inputs.ts';
import type { Readable } from './walk.ts';

export interface ExportOptions {
  readonly run?: RunId;
  readonly sinceMs?: number;
  /** Inputs, summaries and the agent's own words may be confidential, so they are exported only when asked for. */
  readonly inputs: boolean;
}

/** One line of JSON for each entry, for tools that read logs. A line has only the fields of its entry. */
export function exportLines(store: Readable, options: ExportOptions): AsyncGenerator<string> {
  return readOn(store, options)();
}

/** How many past entries come first when no time is given. */
const NEWEST = 20;

/** The newest entries in the order of time, then each new one. Each comes once. */
export async function* tailLines(
  store: Readable,
  options: ExportOptions,
  again: () => Promise<boolean>,
): AsyncGenerator<string> {
  const lines = readOn(store, options);
  const news = async () => {
    const found: { readonly time: string; readonly line: string }[] = [];
    for await (const line of lines()) found.push({ time: JSON.parse(line).time ?? '', line });
    return found.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ line }) => line);
  };

  const first = await news();
  yield* options.sinceMs === undefined ? first.slice(-NEWEST) : first;
  while (await again()) yield* await news();
}

/** Each call of what it returns gives the lines of the entries that came since the call before. */
function readOn(store: Readable, { run, sinceMs = 0, inputs }: ExportOptions): () => AsyncGenerator<string> {
  const places = new Map<JournalName, { from: number; readonly read: Reader }>();

  async function* linesOf(name: JournalName, newReader: () => Reader, items: () => Promise<Items>) {
    const place = places.get(name) ?? { from: 0, read: newReader() };
    places.set(name, place);
    const { entries } = await store.read(name, place.from);
    const read = entries.length === 0 ? [] : await items();
    for (const { id, text } of entries) {
      const common = { journal: name, position: place.from, id };
      place.from += 1;
      try {
        const { atMs, fields, prev } = place.read(text, read);
        if (atMs < sinceMs) continue;
        yield JSON.stringify({ ...common, time: new Date(atMs).toISOString(), ...fields, hash: hashLine(text), prev });
        // The line is damaged, or of a newer version. The export names it and goes on.
      } catch {
        yield JSON.stringify({
          ...common,
          kind: 'unreadable',
          ...(isSealed(text) ? ENCRYPTED : { hash: hashLine(text) }),
        });
      }
    }
  }

  return async function* () {
    for (const name of run === undefined ? await store.journals('run') : [run])
      yield* linesOf(
        name,
        () => runReader(inputs),
        async () => (inputs ? store.readItems(name) : []),
      );
    if (run !== undefined) return;
    const none = async () => [];
    for (const name of await store.journals('grant')) yield* linesOf(name, () => readTrust, none);
    for (const name of await store.journals('workspace')) yield* linesOf(name, () => readWorkspace, none);
  };
}

/** The hash of an entry is over its readable form. */
const ENCRYPTED = { sentence: 'This entry is encrypted. Set DATA_KEY to read it.' };

type Items = readonly string[];
type Fields = Readonly<Record<string, unknown>>;
type Reader = (text: string, items: Items) => { readonly atMs: number; readonly prev: string; readonly fields: Fields };

/** Reads the entries of a run in their order, and adds to each what earlier entries said about the same call. */
function runReader(inputs: boolean): Reader {
  let run: Fields = {};
  const approvals = new Map<string, AboutCall>();
  const calls = new Map<string, Omit<AboutCall, 'call'>>();
  /** The digest that a yes to each approval allows: as asked, or as the approver changed it. */
  const shown = new Map<string, string>();

  return (text, items) => {
    const { entry, prev } = readLine(EntryBody, text);
    const { type, id: _id, atMs, ...said } = entry;
    if (entry.type === 'run-started') {
      const { team, channel, ts } = entry.thread;
      run = { run: entry.run, thread: `${team}:${channel}:${ts}` };
    }
    if (entry.type === 'call-asked') {
      const { approval, call, tool, digest, effect } = entry;
      approvals.set(approval, { call, tool, digest });
      shown.set(approval, digest);
      const sentence = sentenceOf(entry, tool);
      const fields = { ...run, kind: type, sentence, approval, call, tool, digest, effect, rule: entry.rule };
      return { atMs, prev, fields: { ...fields, ...(inputs ? askedInputs(entry, items) : {}) } };
    }
    if (entry.type === 'call-decided' && entry.edit !== undefined) shown.set(entry.approval, entry.edit.digest);
    if (entry.type === 'call-started') calls.set(entry.call, { tool: entry.tool, digest: entry.digest });
    const about =
      'approval' in entry ? approvals.get(entry.approval) : 'call' in entry ? calls.get(entry.call) : undefined;
    const start =
      entry.type === 'call-started' && entry.grant.type === 'approval'
        ? { shown: shown.get(entry.grant.approval) }
        : {};
    const { thread: _thread, run: _run, requester: _requester, by: _by, user: _user, ...rest } = readAll(said);
    const what = { kind: type, sentence: sentenceOf(entry, about?.tool), who: whoOf(entry) };
    return { atMs, prev, fields: { ...run, ...what, ...about, ...rest, ...start, ...quoted(entry, inputs, items) } };
  };
}

interface AboutCall {
  readonly call: string;
  readonly tool: string;
  readonly digest: string;
}

function askedInputs({ summary, reason, shown, input }: EntryOf<'call-asked'>, items: Items): Fields {
  return { summary, reason, input: textOf(shown ?? input, items) };
}

/** What people and tool servers wrote is as confidential as the input of a call. */
function quoted(entry: Entry, inputs: boolean, items: Items): Fields {
  if (entry.type === 'call-decided' && entry.edit !== undefined) {
    const { input, shown = input, digest, summary } = entry.edit;
    return { edit: inputs ? { digest, summary, input: textOf(shown, items) } : { digest } };
  }
  if (entry.type === 'inquiry-asked' && !inputs) return { message: undefined, schema: undefined };
  if (entry.type === 'person-said' && !inputs) return { unread: undefined };
  if (entry.type === 'inquiry-settled') return { content: undefined };
  return {};
}

/** The person who acted, if a person did. `by` of a post is the process that sends it. */
function whoOf(entry: Entry): string | undefined {
  if (entry.type === 'run-started') return entry.requester;
  if (entry.type === 'person-said') return entry.user;
  if (entry.type === 'post-begun' || entry.type === 'reply-begun') return undefined;
  return 'by' in entry ? entry.by : undefined;
}

const readAll = (fields: Fields): Fields => fields;

const readTrust: Reader = (text) => {
  const { entry, prev } = readLine(TrustEntryBody, text);
  const { type, id: _id, atMs, ...fields } = entry;
  const who = 'by' in entry ? entry.by : undefined;
  return { atMs, prev, fields: { kind: type, sentence: sentenceOfTrust(entry), who, ...fields } };
};

const readWorkspace: Reader = (text) => {
  const { entry, prev } = readLine(WorkspaceBody, text);
  const { type, id: _id, atMs, ...fields } = entry;
  return { atMs, prev, fields: { kind: type, sentence: sentenceOfWorkspace(entry), ...fields } };
};
