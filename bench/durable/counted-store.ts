import type { Store } from '../../app/store/index.ts';

/** What was asked of a store since the tally was made or cleared. */
export interface Tally {
  reads: number;
  entriesRead: number;
  appends: number;
  entriesAppended: number;
  /** In entries and items. */
  bytes: number;
  /** Of every kind. */
  calls: number;
}

export const emptyTally = (): Tally => ({
  reads: 0,
  entriesRead: 0,
  appends: 0,
  entriesAppended: 0,
  bytes: 0,
  calls: 0,
});

export interface CountedStore {
  readonly store: Store;
  readonly tally: Tally;
  /** Resolves when no call is under way and none follows. */
  readonly quiet: () => Promise<void>;
}

/** The same store, with a tally of its calls. `same` is another view of it whose calls count too. */
export function countStore(store: Store): CountedStore & { readonly alsoCount: (view: Store) => Store } {
  const tally = emptyTally();
  const underWay = createUnderWay();
  const counted = (view: Store): Store => ({
    ...watched(view, tally, underWay),
    append: (request) => {
      const { items = [], beside } = request;
      const entries = [...request.entries, ...(beside?.entries ?? [])];
      tally.calls += 1;
      tally.appends += 1;
      tally.entriesAppended += entries.length;
      tally.bytes += sizeOf([...entries.map(({ text }) => text), ...items]);
      return underWay.until(view.append(request));
    },
    read: (...asked) => {
      tally.calls += 1;
      tally.reads += 1;
      return underWay.until(view.read(...asked), ({ entries }) => {
        tally.entriesRead += entries.length;
      });
    },
  });
  return { store: counted(store), alsoCount: counted, tally, quiet: underWay.quiet };
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function watched(store: Store, tally: Tally, underWay: UnderWay): Store {
  const view = new Proxy(store, {
    get: (of, name): unknown => {
      const found: unknown = Reflect.get(of, name);
      if (typeof found !== 'function') return found;
      return (...given: readonly unknown[]): unknown => {
        tally.calls += 1;
        const answer: unknown = Reflect.apply(found, of, given);
        return answer instanceof Promise ? underWay.until(answer) : answer;
      };
    },
  });
  // A copy of its members, so that a caller may replace some of them.
  return { ...view };
}

interface UnderWay {
  readonly until: <Answer>(call: Promise<Answer>, answered?: (answer: Answer) => void) => Promise<Answer>;
  readonly quiet: () => Promise<void>;
}

/** This many rounds of the event loop without a call say that none follows. */
const CALM_ROUNDS = 3;

function createUnderWay(): UnderWay {
  let count = 0;
  let begun = 0;
  const idle: (() => void)[] = [];
  return {
    // Hands on the same promise, so that counting takes no time of what is counted.
    until: (call, answered = () => {}) => {
      count += 1;
      begun += 1;
      const end = () => {
        count -= 1;
        if (count === 0) for (const tell of idle.splice(0)) tell();
      };
      call.then((answer) => {
        answered(answer);
        end();
      }, end);
      return call;
    },
    quiet: async () => {
      for (let calm = 0, seen = begun; calm < CALM_ROUNDS; ) {
        if (count > 0) await new Promise<void>((resolve) => void idle.push(resolve));
        await new Promise((resolve) => setImmediate(resolve));
        calm = count === 0 && begun === seen ? calm + 1 : 0;
        seen = begun;
      }
    },
  };
}
