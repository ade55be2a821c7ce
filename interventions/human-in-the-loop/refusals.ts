import type { AppState } from '../app-state.ts';
import type { BeforeToolCallEvent } from '../hooks/events.ts';
import type { ObservedAgent } from '../hooks/hooks.ts';
import { AgentResultEvent } from '../hooks/stream-events.ts';
import { BeforeInvocationEvent } from '../hooks/turn-events.ts';

/** What people refused in each invocation. Forgotten when the invocation is over. */
export interface Refusals {
  readonly note: (event: BeforeToolCallEvent) => void;
  /** Why people are not asked about this call again, or `undefined`. */
  readonly closed: (event: BeforeToolCallEvent) => string | undefined;
  /** Keeps the refusals of this handler in the agent's state, so that they count after a pause as well. */
  readonly observe: (agent: ObservedAgent, handler: string) => void;
}

interface Refused {
  readonly digests: Set<string>;
  readonly counts: Map<string, number>;
  /** Where the agent's state keeps them. */
  readonly key?: string;
}

const REFUSALS_PER_TOOL = 3;

export function createRefusals(perTool = REFUSALS_PER_TOOL): Refusals {
  const byInvocation = new WeakMap<AbortSignal, Refused>();
  return {
    note: (event) => {
      const noted = byInvocation.get(event.signal) ?? { digests: new Set(), counts: new Map() };
      const { name } = event.effective();
      // A refused call is judged again at each resume while an earlier call of its turn waits.
      if (!noted.digests.has(event.digest())) noted.counts.set(name, (noted.counts.get(name) ?? 0) + 1);
      noted.digests.add(event.digest());
      byInvocation.set(event.signal, noted);
      keep(event.agent.appState, noted);
    },
    closed: (event) => {
      const noted = byInvocation.get(event.signal);
      if (noted === undefined) return undefined;
      // People were asked about this call before the pause, and what they say counts.
      if (noted.key !== undefined && event.resumed) return undefined;
      const { name } = event.effective();
      if (noted.digests.has(event.digest()))
        return 'This same call was refused before, so people were not asked again.';
      if ((noted.counts.get(name) ?? 0) < perTool) return undefined;
      return `${JSON.stringify(name)} was refused ${perTool === 1 ? 'once' : `${perTool} times`}, so it is closed for now.`;
    },
    observe: ({ hooks }, handler) => {
      const key = `hitl:refusals:${handler}`;
      hooks.addCallback(BeforeInvocationEvent, ({ agent: { appState }, signal, resumed }) => {
        const [digests, counts] = resumed ? kept(appState, key) : [[], []];
        if (!resumed) forget(appState, key);
        byInvocation.set(signal, { digests: new Set(digests), counts: new Map(counts), key });
      });
      hooks.addCallback(AgentResultEvent, ({ agent: { appState }, result }) => {
        if (result.type !== 'interrupted') forget(appState, key);
      });
    },
  };
}

type Kept = readonly [digests: readonly string[], counts: readonly (readonly [tool: string, count: number])[]];

function keep(appState: AppState, { digests, counts, key }: Refused): void {
  if (key !== undefined) appState.set(key, [[...digests], [...counts]]);
}

/** A key that is not there would be stored as deleted. */
function forget(appState: AppState, key: string): void {
  if (appState.get(key) !== undefined) appState.delete(key);
}

function kept(appState: AppState, key: string): Kept {
  const stored = appState.get(key);
  const [digests, counts] = Array.isArray(stored) ? (stored as readonly unknown[]) : [];
  // An agent's state comes from a snapshot or a session, and may hold anything under this key.
  return [listOf(digests, isText), listOf(counts, isCount)];
}

function listOf<Item>(value: unknown, fits: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? value.filter(fits) : [];
}

const isText = (item: unknown): item is string => typeof item === 'string';
const isCount = (item: unknown): item is Kept[1][number] =>
  Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'number';
