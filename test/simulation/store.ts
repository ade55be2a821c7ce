import type { ThreadKey } from '../../app/records/index.ts';
import { StoreUnavailableError } from '../../app/store/errors.ts';
import type { HintListener, Store } from '../../app/store/store.ts';
import type { ModelStore } from '../support/model-store.ts';
import type { Across } from './border.ts';
import type { Chance } from './chance.ts';
import type { Process, Schedule } from './schedule.ts';

/** The store that all processes share, and the hints about its journals. */
export interface SharedStore {
  readonly facts: ModelStore;
  readonly listeners: Map<Process, HintListener>;
  /** The threads that a queue would hand out. */
  readonly queue: ThreadKey[];
}

const away = () => new StoreUnavailableError('The store gave no answer in time.');

/** For a caller that waits for an answer: a failure is reported soon. */
export function failFastStore(shared: SharedStore, across: Across, process: Process): Store {
  return {
    ...shared.facts,
    ...through(shared.facts, (what, act) => across(what, act, away)),
    ...apart(shared, process),
  };
}

/** For a caller that has time: a failed request is sent again, so it may be carried out twice. */
export function patientStore(shared: SharedStore, across: Across, process: Process): Store {
  const surely: Sends = async (what, act) => {
    for (;;) {
      try {
        return await across(what, act, away);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
    }
  };
  return { ...shared.facts, ...through(shared.facts, surely), ...apart(shared, process) };
}

type Sends = <Result>(what: string, act: () => Promise<Result>) => Promise<Result>;

function through(
  facts: Store,
  send: Sends,
): Omit<
  Store,
  'isExclusive' | 'shards' | 'journals' | 'inboxes' | 'record' | 'writeRecord' | 'reseal' | 'watch' | 'health' | 'close'
> {
  return {
    append: (request) => send(`append ${request.entries.map(typeOf).join('+')}`, () => facts.append(request)),
    read: (...about) => send('read', () => facts.read(...about)),
    readItems: (...about) => send('readItems', () => facts.readItems(...about)),
    take: (delivery) => send('take', () => facts.take(delivery)),
    thread: (...about) => send('thread', () => facts.thread(...about)),
    findApproval: (approval) => send('findApproval', () => facts.findApproval(approval)),
    members: (...asked) => send('members', () => facts.members(...asked)),
    takePlace: (places) => send('takePlace', () => facts.takePlace(places)),
    leaveLists: (members) => send('leaveLists', () => facts.leaveLists(members)),
    claimTodo: (request) => send('claimTodo', () => facts.claimTodo(request)),
    claimThread: (...about) => send('claimThread', () => facts.claimThread(...about)),
    renewTodo: (...about) => send('renewTodo', () => facts.renewTodo(...about)),
    takeInHand: (claim) => send('takeInHand', () => facts.takeInHand(claim)),
    letGo: (...about) => send('letGo', () => facts.letGo(...about)),
    setAside: (...about) => send('setAside', () => facts.setAside(...about)),
    takeUp: (...about) => send('takeUp', () => facts.takeUp(...about)),
    abandon: (...about) => send('abandon', () => facts.abandon(...about)),
    claimPainting: (claim) => send('claimPainting', () => facts.claimPainting(claim)),
    releasePainting: (painting) => send('releasePainting', () => facts.releasePainting(painting)),
    claimHome: (claim) => send('claimHome', () => facts.claimHome(claim)),
    keepHome: (...about) => send('keepHome', () => facts.keepHome(...about)),
    restTodo: (seen) => send('restTodo', () => facts.restTodo(seen)),
    claimDue: (request) => send('claimDue', () => facts.claimDue(request)),
    moveDue: (...about) => send('moveDue', () => facts.moveDue(...about)),
    removeRun: (run) => send('removeRun', () => facts.removeRun(run)),
  };
}

/** Several processes use this store. Each gets the hints at random times. */
function apart({ listeners }: SharedStore, process: Process): Pick<Store, 'isExclusive' | 'watch' | 'close'> {
  return {
    isExclusive: false,
    watch: async (listener) => {
      listeners.set(process, listener);
      return { close: async () => void listeners.delete(process) };
    },
    close: async () => {},
  };
}

/** Hints come late, twice or never. */
export function carryHints(
  shared: SharedStore,
  { schedule, chance }: { readonly schedule: Schedule; readonly chance: Chance },
) {
  return shared.facts.watch({
    onGap: () => {},
    onHint: (hint) => {
      for (const [process, listener] of shared.listeners) {
        const times = chance.pick([0, 1, 1, 1, 2]) ?? 1;
        for (let time = 0; time < times; time += 1) schedule.add(process, 'hears a hint', () => listener.onHint(hint));
      }
    },
  });
}

const typeOf = ({ text }: { readonly text: string }): string => /"type":"([^"]+)"/.exec(text)?.[1] ?? '?';
