import { given } from '../given.ts';
import { writeLines } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { JournalName } from '../records/index.ts';
import type { AppendRequest, Effect, JournalPage, Store } from '../store/index.ts';
import { createTurns, pause, type Turns } from '../time/index.ts';
import type { Folded, FoldedJournals } from './folded.ts';
import { createReading, type Folding, type ReadingDeps } from './reading.ts';
import type { Draft } from './workspace-journal.ts';

/**
 * One journal as one process sees it. A commit reads it, lets a pure function decide, and appends; it decides again when
 * another writer was faster. Every write to the journal of a run goes through here.
 */
export interface Recorder<State, Body> {
  /** The state as last read or written here; `undefined` while the journal has no entry. */
  readonly state: () => State | undefined;
  /** Frees the memory of the kept fold. Also for a removed journal. */
  readonly forget: () => void;
  /** Hash of the last line that was read or written here. */
  readonly head: () => string;
  /** The store's time: as of the last read, plus the time elapsed since. */
  readonly nowMs: () => number;
  /**
   * Reads what is new. With a version, only when this process does not know the journal up to there, also not by the `told`
   * entries, which end there.
   */
  readonly refresh: (version?: number, told?: JournalPage['entries']) => Promise<State | undefined>;
  /** For a journal of the past: one that is over, and known here, is not read again. Its version may be an old one. */
  readonly refreshUnlessOver: () => Promise<State | undefined>;
  /**
   * Decides on the newest state and appends. `decide` may be called several times, so it must be pure. Commits of one
   * process to one journal happen one after the other, also through different recorders.
   */
  readonly commit: <Result>(
    decide: Decide<State, Body, Result>,
    beside?: TakenAlong<State>,
  ) => Promise<Committed<Result>>;
  /** As `commit`, but a decision to write nothing also rests on what the store has after this call began. */
  readonly confirm: <Result>(decide: Decide<State, Body, Result>) => Promise<Committed<Result>>;
  /** As `commit`, for a journal that is expected to have no entry yet: only when it has some, it is read. */
  readonly begin: <Result>(
    decide: Decide<State, Body, Result>,
    beside?: TakenAlong<State>,
  ) => Promise<Committed<Result>>;
  /** Commits to a journal that has entries. While it has none, `decide` is not called and `none` is the result. */
  readonly decide: <Result, const None>(
    decide: (state: State, nowMs: number) => Decided<Body, Result>,
    none: None,
  ) => Promise<Committed<Result | None>>;
}

export type Decide<State, Body, Result> = (state: State | undefined, nowMs: number) => Decided<Body, Result>;

interface Decided<Body, Result> {
  readonly entries: readonly Body[];
  readonly result: Result;
  /** Appended to the run's list of items. */
  readonly items?: readonly string[];
  readonly notAfterMs?: number;
}

/** Drafts an entry of another journal, to be written in one step with what leads this journal to `then`. */
export type TakenAlong<State> = (then: Folded<State>) => Promise<Draft | undefined>;

/**
 * The result of the decision. `late`: nothing was written, because it came after its `notAfterMs` by the store's clock, for a
 * message that is no longer in the inbox, or for a run that a stop has left.
 */
export type Committed<Result> = Result | 'late';

export interface JournalKind<State, Body> extends Folding<State, Body> {
  /** Absent: the journal has no items. */
  readonly items?: {
    readonly count: (state: State | undefined) => number;
    /** The positions of the items to which an entry refers. */
    readonly of: (entry: Body) => readonly number[];
  };
  /** What has waited to be written together with other entries. Written before them. */
  readonly waiting?: (state: State) => readonly Body[];
  /** The index changes that follow from the entries. */
  readonly effects: (state: State, entries: readonly Body[]) => readonly Effect[];
  /** True for entries that have effects outside of the store once they are written: the store must not lose them. */
  readonly mustBeDurable?: (entry: Body) => boolean;
}

export interface RecorderDeps extends ReadingDeps {
  readonly store: Pick<Store, 'read' | 'append'>;
  /** Unique among all writers, so that the store recognises an append that is sent twice. */
  readonly entryId: () => string;
  /**
   * Queues the writers of a journal in this process, so that sixty presses on one run do not conflict with each other and with
   * the run. It only saves time; the version of the journal decides. Absent: each recorder has its own queue.
   */
  readonly turns?: Turns;
  /** Receives the index changes of each append that was written here. */
  readonly appended?: (effects: readonly Effect[]) => void;
}

export function createRecorder<State, Body extends object>(
  { entryId, appended = () => {}, turns = createTurns(), ...deps }: RecorderDeps,
  journal: JournalName,
  kind: JournalKind<State, Body>,
): Recorder<State, Body> {
  const { store } = deps;
  const reading = createReading(deps, journal, kind);
  const { forget, known, recall, isUpToDate, isTold, learn, read, refresh, refreshUnlessOver, time } = reading;
  const inTurn = createTurns();

  /** @param isSure whether a decision without entries may rest on what is known. If not, the journal is read first. */
  const decideAndAppend = async <Result>(
    { decide, beside }: Wish<State, Body, Result>,
    isSure: boolean,
  ): Promise<{ readonly committed: Committed<Result> } | 'read-first'> => {
    const atMs = time.nowMs();
    const decided = decide(known().state, atMs);
    const { result } = decided;
    const written = prepare(kind, known(), decided, { entryId, atMs });
    if (written === undefined) return isSure ? { committed: result } : 'read-first';
    const { next, append } = written;
    const also = await beside?.(next);
    const answer = await store.append({ journal, ...append, ...given({ beside: also?.append }) });
    also?.answered(answer);
    switch (answer.type) {
      case 'ok':
      case 'already':
        learn(next);
        keepNewItems(kind.folded, journal, append);
        appended(append.effects);
        return { committed: result };
      case 'conflict':
        return 'read-first';
      case 'late':
        return { committed: 'late' };
    }
  };

  const write = <Result>(wish: Wish<State, Body, Result>, trusts: Trusts): Promise<Committed<Result>> =>
    inTurn(journal, () =>
      turns(journal, async () => {
        // The kept fold may be old, but the store refuses an append that does not follow the newest entry.
        const isKnown = recall() || isTold();
        let isSure = isUpToDate() || (trusts === 'what is known' && isTold() && known().version > 0);
        if ((!isKnown && trusts !== 'that it is new') || !time.isKnown()) {
          await read();
          isSure = true;
        }
        for (let tries = 0; tries < LIMITS.appendAttempts; tries += 1) {
          const tried = await decideAndAppend(wish, isSure);
          if (tried !== 'read-first') return tried.committed;
          if (tries >= QUICK_TRIES) await pause(Math.min(2 ** (tries - QUICK_TRIES), MOST_PAUSE_MS));
          await read();
          isSure = true;
        }
        throw new ContendedError(journal);
      }),
    );

  const commit: Recorder<State, Body>['commit'] = (decide, beside) => write({ decide, beside }, 'what is known');

  return {
    forget,
    state: () => known().state,
    head: () => known().head(),
    nowMs: time.nowMs,
    refresh: (version, told) => inTurn(journal, () => refresh(version, told)),
    refreshUnlessOver: () => inTurn(journal, refreshUnlessOver),
    commit,
    confirm: (decide) => write({ decide }, 'nothing'),
    begin: (decide, beside) => write({ decide, beside }, 'that it is new'),
    decide: (decide, none) =>
      commit<ReturnType<typeof decide>['result'] | typeof none>((state, atMs) =>
        state === undefined ? { entries: [], result: none } : decide(state, atMs),
      ),
  };
}

interface Wish<State, Body, Result> {
  readonly decide: Decide<State, Body, Result>;
  readonly beside?: TakenAlong<State> | undefined;
}

/** What a decision may rest on before the journal is read. An append is refused where that is not what the store has. */
type Trusts = 'what is known' | 'nothing' | 'that it is new';

/**
 * A writer that need not read first is faster than one that lost to it. So after these tries each next one waits longer, until
 * the other process has written what it had at once.
 */
const QUICK_TRIES = 2;
const MOST_PAUSE_MS = 50;

/** What to append for a decision, and the fold after that; `undefined` when nothing is to be written. */
function prepare<State, Body extends object>(
  kind: JournalKind<State, Body>,
  known: Folded<State>,
  { entries: decided, items, notAfterMs }: Omit<Decided<Body, unknown>, 'result'>,
  { entryId, atMs }: { readonly entryId: () => string; readonly atMs: number },
): { readonly append: Omit<AppendRequest, 'journal'>; readonly next: Folded<State> } | undefined {
  if (decided.length === 0) return undefined;
  const entries = [...(known.state === undefined ? [] : (kind.waiting?.(known.state) ?? [])), ...decided];
  const stamped = entries.map((body) => ({ ...body, id: entryId(), atMs }));
  const added = items && kind.items && { from: kind.items.count(known.state), texts: items, of: kind.items.of };
  const { lines, head } = writeLines(stamped, known.head(), added);
  const state = stamped.reduce<State | undefined>((before, entry) => kind.evolve(before, entry), known.state);
  if (state === undefined) return undefined;
  const append = {
    expectedVersion: known.version,
    entries: lines,
    effects: kind.effects(state, entries),
    ...given({ items, itemsFrom: added?.from, follows: known.lastId }),
    ...(entries.some((entry) => kind.mustBeDurable?.(entry)) ? { durable: true } : {}),
    ...given({ notAfterMs }),
  };
  const next = {
    state,
    version: known.version + entries.length,
    head: headIs(head),
    ...given({ lastId: lines.at(-1)?.id }),
    chars: lines.reduce((sum, { text }) => sum + text.length, known.chars),
    reading: known.reading,
  };
  return { append, next };
}

/** A function of its own, because a kept fold keeps what its functions can reach. */
const headIs = (head: string) => () => head;

/** Adds what was just written to the items that are kept, when all before it are there. */
function keepNewItems(
  folded: Pick<FoldedJournals<unknown>, 'itemsOf' | 'keepItems'> | undefined,
  journal: JournalName,
  { items, itemsFrom }: Pick<AppendRequest, 'items' | 'itemsFrom'>,
): void {
  if (items === undefined || items.length === 0) return;
  const kept = folded?.itemsOf(journal) ?? [];
  if (kept.length === itemsFrom) folded?.keepItems(journal, [...kept, ...items]);
}

/** Each try of this process lost to another writer. Nothing was written. */
export class ContendedError extends Error {
  override readonly name = 'ContendedError';

  constructor(journal: JournalName) {
    super(
      `Could not write to journal ${journal}: other writers were faster ${LIMITS.appendAttempts} times. Try again.`,
    );
  }
}
