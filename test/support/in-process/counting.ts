import type { Store } from '../../../app/store/index.ts';

/** What a process has asked of its store. */
export interface Cost {
  reads: number;
  entriesRead: number;
  appends: number;
  entriesWritten: number;
  /** Characters of the lines and items that were written. */
  charsWritten: number;
  /** All calls, also those that are neither a read of a journal nor an append. */
  calls: number;
}

/** A store that counts what is asked of it. `spent` is what was asked since it was called last. */
export function counting() {
  let cost = nothing();
  const around = (store: Store): Store => ({
    ...store,
    ...countedCalls(store, () => {
      cost.calls += 1;
    }),
    read: async (...asked) => {
      const page = await store.read(...asked);
      cost.calls += 1;
      cost.reads += 1;
      cost.entriesRead += page.entries.length;
      return page;
    },
    append: async (request) => {
      const { items = [], beside } = request;
      const entries = [...request.entries, ...(beside?.entries ?? [])];
      cost.calls += 1;
      cost.appends += 1;
      cost.entriesWritten += entries.length;
      cost.charsWritten += [...entries.map(({ text }) => text), ...items].join('').length;
      return store.append(request);
    },
  });
  const spent = (): Cost => {
    const before = cost;
    cost = nothing();
    return before;
  };
  return { around, spent };
}

const nothing = (): Cost => ({ reads: 0, entriesRead: 0, appends: 0, entriesWritten: 0, charsWritten: 0, calls: 0 });

type Counted = Pick<
  Store,
  | 'take'
  | 'thread'
  | 'readItems'
  | 'members'
  | 'takePlace'
  | 'leaveLists'
  | 'findApproval'
  | 'restTodo'
  | 'renewTodo'
  | 'claimThread'
  | 'moveDue'
>;

function countedCalls(store: Store, count: () => void): Counted {
  const counted =
    <Asked extends readonly unknown[], Answer>(call: (...asked: Asked) => Answer) =>
    (...asked: Asked): Answer => {
      count();
      return call(...asked);
    };
  return {
    take: counted(store.take),
    thread: counted(store.thread),
    readItems: counted(store.readItems),
    members: counted(store.members),
    takePlace: counted(store.takePlace),
    leaveLists: counted(store.leaveLists),
    findApproval: counted(store.findApproval),
    restTodo: counted(store.restTodo),
    renewTodo: counted(store.renewTodo),
    claimThread: counted(store.claimThread),
    moveDue: counted(store.moveDue),
  };
}
