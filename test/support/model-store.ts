import type { Clock } from '../../app/clock.ts';
import { given } from '../../app/given.ts';
import { type ApprovalId, type Person, type RunId, ThreadKey } from '../../app/records/index.ts';
import { checkAppend, refuseItems } from '../../app/store/check.ts';
import { dueWord, readDueWord } from '../../app/store/due.ts';
import { readNames } from '../../app/store/ids.ts';
import { SEEN_MS } from '../../app/store/keys.ts';
import { withEntries } from '../../app/store/redis/append.ts';
import type { AppendRequest, Effect, HintListener, Store, StoreRecord } from '../../app/store/store.ts';
import type { Aside, ClaimTodo } from '../../app/store/todo.ts';
import type { Scheduled } from './scheduled.ts';

export interface ModelStore extends Store {
  /** What a process must come back to, read without taking it. */
  readonly scheduled: () => Scheduled;
}

/** What is noted about a thread. */
interface Note {
  hand?: string;
  deaths: number;
  aside?: Aside;
}

/**
 * What both engines promise, as short as it can be said: maps in memory, one step at a time. Tests compare the engines
 * with it, and may use it where no engine is the subject.
 */
export function createModelStore(clock: Clock): ModelStore {
  const journals = new Map<string, { id: string; text: string }[]>();
  const items = new Map<string, string[]>();
  const approvals = new Map<ApprovalId, RunId>();
  const members = new Map<string, Set<string>>();
  const currentRuns = new Map<ThreadKey, RunId>();
  const inboxes = new Map<ThreadKey, { key: string; item: string }[]>();
  const seenUntil = new Map<string, number>();
  const todo = new Map<string, number>();
  const due = new Map<string, number>();
  const notes = new Map<string, Note>();
  const homes = new Map<string, { readonly by: string; readonly shows: string; readonly untilMs: number }>();
  const painted = new Map<string, { readonly by: string; readonly state: string; readonly untilMs: number }>();
  const listeners = new Set<HintListener>();

  let closed = false;
  const records = new Map<StoreRecord, string>();

  const entriesOf = (journal: string) => {
    if (closed) throw new Error('The store is closed.');
    return getOrAdd(journals, journal, () => []);
  };
  const inboxOf = (thread: ThreadKey) => getOrAdd(inboxes, thread, () => []);
  const listOf = ({ what, of }: { what: string; of: string }) => getOrAdd(members, `${what}:${of}`, () => new Set());
  const noteOf = (thread: ThreadKey) => getOrAdd(notes, thread, (): Note => ({ deaths: 0 }));
  const unless = (thread: ThreadKey, atMs: number) => todo.set(thread, todo.get(thread) ?? atMs);
  const claim = (from: Map<string, number>, { limit, leaseMs, mostMs = Number.POSITIVE_INFINITY }: ClaimTodo) => {
    const isFar = (atMs: number) => atMs > clock.now() + mostMs && Number.isFinite(atMs);
    const ripe = [...from].filter(([, atMs]) => atMs <= clock.now() || isFar(atMs));
    const words = ripe.sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1)).slice(0, limit);
    for (const [word] of words) from.set(word, clock.now() + leaseMs);
    return words.map(([word]) => word);
  };

  /** Answers how many got a hint. */
  const apply = (effect: Effect, request: AppendRequest): number => {
    switch (effect.type) {
      case 'due':
        due.set(dueWord(effect.item), effect.atMs);
        return 0;
      case 'not-due':
        due.delete(dueWord(effect.item));
        return 0;
      case 'todo':
        unless(effect.thread, clock.now() + effect.inMs);
        return 0;
      case 'not-todo':
        todo.delete(effect.thread);
        return 0;
      case 'got-further':
        noteOf(effect.thread).deaths = 0;
        return 0;
      case 'approval':
        approvals.set(effect.approval, effect.run);
        return 0;
      case 'member':
        listOf(effect.index).add(effect.member);
        return 0;
      case 'not-member':
        listOf(effect.index).delete(effect.member);
        return 0;
      case 'current-run':
        if (effect.run === undefined) currentRuns.delete(effect.thread);
        else currentRuns.set(effect.thread, effect.run);
        return 0;
      case 'run-over':
        if ((currentRuns.get(effect.thread) ?? effect.run) === effect.run) listOf(effect.index).delete(effect.thread);
        return 0;
      case 'still-current':
        return 0;
      case 'drop-inbox':
        inboxes.set(
          effect.thread,
          inboxOf(effect.thread).filter(({ key }) => !effect.keys.includes(key)),
        );
        return 0;
      case 'hint':
        for (const listener of listeners) setImmediate(() => listener.onHint(withEntries(effect.hint, request)));
        return Math.min(listeners.size, 1);
    }
  };

  return {
    isExclusive: true,
    shards: 1,

    append: async (request) => {
      checkAppend(request, 1);
      const entries = entriesOf(request.journal);
      const { expectedVersion, notAfterMs = Number.POSITIVE_INFINITY } = request;
      const after = expectedVersion + request.entries.length;
      if (entries.length !== expectedVersion) {
        const same = entries[expectedVersion]?.id === request.entries[0]?.id;
        return same ? { type: 'already', version: after } : { type: 'conflict', version: entries.length };
      }
      const { follows } = request;
      if (follows !== undefined && entries.at(-1)?.id !== follows) return { type: 'conflict', version: entries.length };
      const { beside } = request;
      const also = beside && entriesOf(beside.journal);
      const isNext =
        also?.length === beside?.expectedVersion && (beside?.follows ?? also?.at(-1)?.id) === also?.at(-1)?.id;
      if (!isNext) return { type: 'conflict', version: entries.length };
      const hold = request.effects.every((effect) => {
        if (effect.type === 'still-current') return currentRuns.get(effect.thread) === effect.run;
        if (effect.type !== 'drop-inbox') return true;
        return effect.keys.every((key) => inboxOf(effect.thread).some((waiting) => waiting.key === key));
      });
      if (clock.now() > notAfterMs || !hold) return { type: 'late', nowMs: clock.now() };
      const { items: added = [], itemsFrom } = request;
      const there = getOrAdd(items, request.journal, () => []);
      if (added.length > 0 && itemsFrom !== undefined && itemsFrom !== there.length) refuseItems(request, there.length);
      entries.push(...request.entries);
      also?.push(...(beside?.entries ?? []));
      there.push(...added);
      return {
        type: 'ok',
        version: after,
        receivers: request.effects.map((effect) => apply(effect, request)).reduce((sum, one) => sum + one, 0),
      };
    },
    read: async (journal, from = 0, most = Number.POSITIVE_INFINITY) => {
      const entries = entriesOf(journal);
      return { entries: entries.slice(from, from + most), version: entries.length, nowMs: clock.now() };
    },
    journals: async (kind) =>
      readNames(
        kind,
        [...journals].filter(([, entries]) => entries.length > 0).map(([name]) => name),
      ),
    readItems: async (run, from = 0) => (items.get(run) ?? []).slice(from),

    take: async ({ key, thread, item }) => {
      if ((seenUntil.get(key) ?? 0) > clock.now()) return 'seen';
      seenUntil.set(key, clock.now() + SEEN_MS);
      if (item !== undefined) {
        inboxOf(thread).push({ key, item });
        if (!todo.has(thread)) todo.set(thread, clock.now());
      }
      return currentRuns.has(thread) ? 'added' : 'taken';
    },
    thread: async (thread, most) => ({
      currentRun: currentRuns.get(thread),
      inbox: inboxOf(thread).slice(0, most),
      inboxLength: inboxOf(thread).length,
      ...given({ aside: noteOf(thread).aside }),
      deaths: Math.floor(noteOf(thread).deaths),
      nowMs: clock.now(),
    }),
    inboxes: async () => [...inboxes].filter(([, inbox]) => inbox.length > 0).map(([thread]) => thread),
    findApproval: async (approval) => approvals.get(approval),
    members: async (index, most) => [...listOf(index)].slice(0, most),

    takePlace: async ({ index, member, most }) => {
      const list = listOf(index);
      if (!list.has(member) && list.size >= most) return false;
      list.add(member);
      return true;
    },
    leaveLists: async (left) => {
      for (const { index, member } of left) listOf(index).delete(member);
    },

    claimTodo: async (request) => claim(todo, request).map((word) => ThreadKey.parse(word)),
    claimThread: async (thread, leaseMs, earlyMs) => {
      if ((todo.get(thread) ?? Number.POSITIVE_INFINITY) > clock.now() + earlyMs) return false;
      todo.set(thread, clock.now() + leaseMs);
      return true;
    },
    takeInHand: async ({ thread, by, leaseMs, earlyMs, suspectInMs, unsure = false }) => {
      const [atMs, note] = [todo.get(thread), noteOf(thread)];
      const { hand } = note;
      if (atMs === undefined || (atMs > clock.now() + earlyMs && !isOf(hand, by))) return undefined;
      if (hand !== undefined && !isOf(hand, by)) {
        if (unsure) return undefined;
        delete note.hand;
        const others = [...notes.values()].filter((one) => one.hand === hand);
        const shared = hand.endsWith('+') || others.length > 0;
        for (const one of others) one.hand = `${hand}+`;
        note.deaths = shared ? Math.max(1, note.deaths + 0.5) : note.deaths + 1;
      }
      const putOff = note.deaths > 0 && suspectInMs !== undefined;
      todo.set(thread, clock.now() + (putOff ? suspectInMs : leaseMs));
      if (putOff) return undefined;
      note.hand = by;
      return Math.floor(note.deaths);
    },
    letGo: async (thread, by, inMs) => {
      if (!isOf(noteOf(thread).hand, by)) {
        noteOf(thread).deaths = Math.max(0, noteOf(thread).deaths - 1);
        return;
      }
      delete noteOf(thread).hand;
      if (inMs !== undefined && todo.has(thread)) todo.set(thread, clock.now() + inMs);
    },
    setAside: async (thread, aside, from) => {
      const note = noteOf(thread);
      if (from !== undefined && (!isOf(note.hand, from.by) || note.deaths < from.deaths)) return false;
      if (note.aside === 'left') return false;
      todo.set(thread, Number.POSITIVE_INFINITY);
      notes.set(thread, { deaths: 0, aside });
      return true;
    },
    takeUp: async (thread, deaths) => {
      const [note, most] = [noteOf(thread), deaths === 'told' ? 0 : deaths];
      if ((note.aside === 'left') !== (deaths === 'told')) return;
      if (note.aside === undefined && Math.floor(note.deaths) <= most) return;
      todo.set(thread, clock.now());
      notes.set(thread, { deaths: most });
    },
    abandon: async (thread, run, seen) => {
      const [current, { aside, deaths }] = [currentRuns.get(thread), noteOf(thread)];
      if (current === undefined && aside === 'left') return true;
      if (current !== run) return current === undefined && aside === undefined && deaths === 0;
      notes.set(thread, { deaths: 0, aside: 'left' });
      currentRuns.delete(thread);
      inboxOf(thread).splice(0, seen ?? Number.POSITIVE_INFINITY);
      todo.set(thread, clock.now());
      return true;
    },
    renewTodo: async (thread, leaseMs) => {
      if (todo.has(thread)) todo.set(thread, clock.now() + leaseMs);
    },
    restTodo: async ({ thread, run, version, inboxLength }) => {
      if (currentRuns.get(thread) !== run || inboxOf(thread).length !== inboxLength) return false;
      if (run !== undefined && entriesOf(run).length !== version) return false;
      if (noteOf(thread).aside !== undefined) return false;
      todo.delete(thread);
      notes.delete(thread);
      return true;
    },
    claimPainting: async ({ of, what, state, by, leaseMs }) => {
      const last = painted.get(`${what}:${of}`);
      if (last !== undefined && last.by !== by && last.untilMs > clock.now()) return last.state;
      painted.set(`${what}:${of}`, { by, state, untilMs: clock.now() + leaseMs });
      return undefined;
    },
    releasePainting: async ({ of, what }) => void painted.delete(`${what}:${of}`),
    claimHome: async ({ person, by, forMs }) => {
      const last = homes.get(keyOfHome(person));
      const leftMs = (last?.untilMs ?? 0) - clock.now();
      if (last !== undefined && last.shows === '' && last.by !== by && leftMs > 0) return 'elsewhere';
      homes.set(keyOfHome(person), { by, shows: '', untilMs: clock.now() + forMs });
      return last === undefined || last.shows === '' || leftMs <= 0 ? 'unknown' : { shows: last.shows, forMs: leftMs };
    },
    keepHome: async ({ person, by, forMs }, shows = '') => {
      const last = homes.get(keyOfHome(person));
      if (last?.by !== by || last.untilMs <= clock.now()) return false;
      homes.set(keyOfHome(person), { by, shows, untilMs: clock.now() + forMs });
      return true;
    },
    claimDue: async (request) => claim(due, request).flatMap((word) => readDueWord(word) ?? []),

    moveDue: async (item, inMs) => {
      if (inMs === 'never') due.delete(dueWord(item));
      else if (due.has(dueWord(item))) due.set(dueWord(item), clock.now() + inMs);
    },
    removeRun: async ({ run, version, thread, approvals: ids, due: words, members: lists }) => {
      if (![0, version].includes(entriesOf(run).length)) return false;
      journals.delete(run);
      items.delete(run);
      if (currentRuns.get(thread) === run) currentRuns.delete(thread);
      for (const item of words) due.delete(dueWord(item));
      for (const id of ids) approvals.delete(id);
      for (const { index, member } of lists) listOf(index).delete(member);
      return true;
    },

    watch: async (given) => {
      const listener = { ...given };
      listeners.add(listener);
      setImmediate(listener.onGap);
      return {
        close: async () => {
          listeners.delete(listener);
        },
      };
    },
    record: async (of) => records.get(of),
    writeRecord: async (of, text, before) => {
      if (records.get(of) !== before && records.get(of) !== text) return false;
      records.set(of, text);
      return true;
    },
    reseal: async (at, before, after) => {
      const swap = <Kept>(list: Kept[], index: number, text: (kept: Kept) => string, put: Kept): boolean => {
        const there = list[index];
        if (there === undefined || ![before, after].includes(text(there))) return false;
        list[index] = put;
        return true;
      };
      switch (at.type) {
        case 'entry': {
          const entries = entriesOf(at.journal);
          return swap(entries, at.position, ({ text }) => text, { id: entries[at.position]?.id ?? '', text: after });
        }
        case 'item':
          return swap(items.get(at.run) ?? [], at.position, (text) => text, after);
        case 'inbox': {
          const inbox = inboxOf(at.thread);
          const index = inbox.findIndex(({ key }) => key === at.key);
          return swap(inbox, index, ({ item }) => item, { key: at.key, item: after });
        }
        case 'installation': {
          const list = listOf(at.index);
          if (!list.delete(before) && !list.has(after)) return false;
          list.add(after);
          return true;
        }
      }
    },
    scheduled: () => ({ todo: new Set(todo.keys()), due: new Set(due.keys()) }),
    health: async () => ({ warnings: [] }),
    close: async () => {
      closed = true;
    },
  };
}

const isOf = (hand: string | undefined, by: string): boolean => hand === by || hand === `${by}+`;

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

const keyOfHome = ({ team, user }: Person): string => `${team}:${user}`;
