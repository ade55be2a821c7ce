import {
  type AppState,
  ConcurrencyError,
  createAppState,
  InterventionError,
  isJson,
  type Json,
  type Message,
} from '../../../../interventions/index.ts';
import { given } from '../../../given.ts';
import { applyFact, type LoopState, type RecordFact, toolUsesOf } from '../../index.ts';
import { onFailure } from '../../on-failure.ts';
import type { SessionManager } from './session.ts';
import { applyEntry, entryOf, NOTHING_REMEMBERED, type Remembered, type SessionEntry } from './session-entry.ts';

/** What one agent remembers: in this process, and in its session if it has one. */
export interface AgentMemory {
  readonly remembered: () => Remembered;
  readonly appState: AppState;
  /** Stores entries, together with whatever has changed in `appState`. They are durable when it resolves. */
  readonly add: (...entries: readonly SessionEntry[]) => Promise<void>;
  readonly record: RecordFact;
  /** Reads what other processes have added. */
  readonly refresh: () => Promise<void>;
}

export interface MemoryParts {
  readonly agentId: string;
  readonly session: SessionManager | undefined;
  readonly initial: Remembered;
  readonly warn: (message: string) => void;
}

export function createAgentMemory(parts: MemoryParts): AgentMemory {
  const { agentId, session, initial, warn } = parts;
  const values = createAppState(initial.appState);
  const changed = new Set<string>();
  let remembered = initial;
  let version: number | undefined;
  const inLine = createLine();

  async function store(entries: readonly SessionEntry[]): Promise<void> {
    if (session === undefined) return;
    const end = await onFailure(() => session.append(agentId, version ?? 0, entries), nestedTooDeeply(entries));
    if (end === 'conflict') {
      throw new ConcurrencyError(
        `Another process has gone on with the agent ${agentId}, so this one stops. Nothing was run twice. Invoke it again to go on from there.`,
      );
    }
    version = (version ?? 0) + 1;
  }

  async function append(make: () => readonly SessionEntry[]): Promise<void> {
    const keys = [...changed];
    const entries = [...make(), ...keys.map((key) => keptEntry(key, values.get(key)))];
    if (entries.length === 0) return;
    // What is set while these are being stored goes into the next append.
    changed.clear();
    await onFailure(
      () => store(entries),
      (error) => {
        // Another process was faster, so what this one set does not count. What could not be stored is tried again.
        if (error instanceof ConcurrencyError) takeOver(keys.map((key) => keptEntry(key, remembered.appState[key])));
        else for (const key of keys) changed.add(key);
      },
    );
    remembered = entries.reduce(applyEntry, remembered);
  }

  async function read(from: SessionManager): Promise<void> {
    const { version: newest, entries } = await from.load(agentId, version ?? 0);
    if (newest === 0 && version === undefined) {
      version = 0;
      remembered = NOTHING_REMEMBERED;
      await append(() => firstEntries(initial));
      return;
    }
    if (version === undefined && initial.state.messages.length > 0) {
      warn(`The session of ${agentId} has messages of its own, so those it was made with are not used.`);
    }
    const known = version === undefined ? { ...NOTHING_REMEMBERED, appState: initial.appState } : remembered;
    remembered = entries.reduce(applyEntry, known);
    version = newest;
    takeOver(entries);
  }

  /** Sets the values that are stored. What is not stored yet was set by this process, and is newer. */
  function takeOver(entries: readonly SessionEntry[]): void {
    for (const entry of entries) {
      if (entry.type !== 'kept' || changed.has(entry.key)) continue;
      if (entry.value === undefined) values.delete(entry.key);
      else values.set(entry.key, entry.value);
    }
  }

  return {
    remembered: () => remembered,
    appState: notingChanges(values, changed),
    add: (...entries) => inLine(() => append(() => entries)),
    record: (fact) => {
      if (session !== undefined) return inLine(() => append(() => [entryOf(fact, remembered)]));
      if (fact.type === 'message') remembered = applyEntry(remembered, fact);
      else remembered = { ...remembered, state: applyFact(remembered.state, fact) };
      return Promise.resolve();
    },
    refresh: () => (session === undefined ? Promise.resolve() : inLine(() => read(session))),
  };
}

/** Names what was the matter when entries cannot be written as JSON because of their depth. Any other failure stays as it is. */
function nestedTooDeeply(entries: readonly SessionEntry[]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof RangeError) || entries.every(isJson)) return;
    throw new InterventionError(
      'A session cannot store what just happened, because its JSON is nested too deeply, so the agent stops before it. Invoke it again to go on without that.',
      { cause: error },
    );
  };
}

/** Runs one work after the other, so that parallel calls are stored in order. */
function createLine(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let line: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = line.then(work);
    // The caller gets the failure from `next`. Here the next work only waits for the end of this one.
    line = Promise.allSettled([next]);
    return next;
  };
}

/** Writes the keys that change into `changed`, so that the next append stores them. */
function notingChanges(values: AppState, changed: Set<string>): AppState {
  return {
    get: values.get,
    toJSON: values.toJSON,
    set: (key, value) => {
      values.set(key, value);
      changed.add(key);
    },
    delete: (key) => {
      values.delete(key);
      changed.add(key);
    },
  };
}

/** The first entries of a new session. */
function firstEntries({ state, appState }: Remembered): readonly SessionEntry[] {
  return [
    ...state.messages.map((message): SessionEntry => ({ type: 'message', message })),
    ...(state.pending === undefined ? [] : [{ type: 'turn', message: state.pending.message } as const]),
    ...Object.entries(appState).map(([key, value]) => keptEntry(key, value)),
  ];
}

/** The state of a conversation that begins with these messages. A request at its end still has to be settled. */
export function stateOf(messages: readonly Message[]): LoopState {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || toolUsesOf(last).length === 0) return { messages };
  return { messages: messages.slice(0, -1), pending: { message: last, results: [] } };
}

function keptEntry(key: string, value: Json | undefined): SessionEntry {
  return { type: 'kept', key, ...given({ value }) };
}
