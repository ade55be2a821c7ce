import type { Entry } from '../../app/journal/facts/entries.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { parts as inside } from '../handlers/views/fits.ts';
import type { History, StoredRun } from './history.ts';

/** What a history says of one run, one approval, one card: the words in which the rules are written. */

export const entriesOf = <Type extends Entry['type']>({ entries }: StoredRun, type: Type) =>
  entries.flatMap((entry, at) => (isA(entry, type) ? [{ ...entry, at }] : []));

export const isA = <Type extends Entry['type']>(entry: Entry, type: Type): entry is Extract<Entry, { type: Type }> =>
  entry.type === type;

/** A final state of an approval, under whichever name it was written. */
export const endsOf = (run: StoredRun, approval: string) =>
  [...entriesOf(run, 'call-decided'), ...entriesOf(run, 'call-expired'), ...entriesOf(run, 'call-cancelled')].filter(
    (entry) => entry.approval === approval,
  );

/** These messages without those that were written before the first call was decided, or were under way at that moment. */
export function writtenLater<Message extends Pick<SlackMessage, 'ts'>>(
  messages: readonly Message[],
  [run]: readonly StoredRun[],
): readonly Message[] {
  const [decided] = run === undefined ? [] : entriesOf(run, 'call-decided');
  if (decided === undefined) throw new Error('No call was decided.');
  return messages.filter(({ ts }) => Number(ts) * 1_000 > decided.atMs + UNDER_WAY_MS);
}

const UNDER_WAY_MS = 500;

export function isRunning(run: StoredRun): boolean {
  return entriesOf(run, 'run-finished').length === 0 && entriesOf(run, 'run-stopped').length === 0;
}

/** What people have not answered yet: about a call, or about what became of one. */
export function openQuestions(run: StoredRun): readonly string[] {
  const settled = entriesOf(run, 'doubt-settled').map(({ doubt }) => doubt);
  const approvals = entriesOf(run, 'call-asked').map(({ approval }) => approval);
  const doubts = entriesOf(run, 'doubt-asked').map(({ doubt }) => doubt);
  return [
    ...approvals.filter((approval) => endsOf(run, approval).length === 0),
    ...doubts.filter((doubt) => !settled.includes(doubt)),
  ];
}

/** What a card asks about: one approval, or each that has a row on it. */
export function approvalsOn(history: History, message: SlackMessage): readonly string[] {
  const key = keyOf(message);
  if (key?.startsWith('card:') !== true) return [];
  const id = key.slice('card:'.length);
  return indexed(history).listed.get(id) ?? [id];
}

export function canBeDecided({ blocks }: SlackMessage, approval: string): boolean {
  return inside(blocks).some((part) => part.action_id === 'approval_deny' && part.value === approval);
}

/** What a post is for, as it says itself. */
export function keyOf({ metadata }: SlackMessage): string | undefined {
  return /"key":"([^"]+)"/.exec(JSON.stringify(metadata ?? {}))?.[1];
}

export const runOf = (history: History, run: string): StoredRun | undefined => indexed(history).runs.get(run);

export const cardOf = (history: History, approval: string): SlackMessage | undefined =>
  indexed(history).cards.get(approval);

/** Whether the journal of whichever run it belongs to has a final state of it. */
export function isOver(history: History, approval: string): boolean {
  const run = indexed(history).asking.get(approval);
  return run !== undefined && endsOf(run, approval).length > 0;
}

/** A history of a thousand threads is looked through once, and not once for each of them. */
interface Index {
  readonly runs: ReadonlyMap<string, StoredRun>;
  /** The run that asked, by approval. */
  readonly asking: ReadonlyMap<string, StoredRun>;
  /** The approvals on a card with many rows, by its name. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
  /** The first card on which an approval stands. */
  readonly cards: ReadonlyMap<string, SlackMessage>;
}

const indexes = new WeakMap<History, Index>();

function indexed(history: History): Index {
  const known = indexes.get(history);
  if (known !== undefined) return known;
  const cards = new Map<string, SlackMessage>();
  const index: Index = {
    runs: new Map(history.runs.map((run) => [run.run, run])),
    asking: new Map(
      history.runs.flatMap((run) => entriesOf(run, 'call-asked').map(({ approval }) => [approval, run] as const)),
    ),
    listed: new Map(
      history.runs.flatMap((run) =>
        entriesOf(run, 'calls-listed').map(({ list, approvals }) => [list, approvals] as const),
      ),
    ),
    cards,
  };
  indexes.set(history, index);
  for (const message of history.messages) {
    for (const approval of approvalsOn(history, message)) if (!cards.has(approval)) cards.set(approval, message);
  }
  return index;
}
