import type { Effect, IndexName } from '../../store/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import type { RunState } from '../fold/state.ts';
import { workedIn } from '../fold/worked.ts';

/** Usage, counted from the journal. Pure. */
export interface Used {
  /** `run/call`. A set, so that a call counts once. */
  readonly calls: ReadonlySet<string>;
  /** The calls that people were asked about. */
  readonly cards: ReadonlySet<string>;
  readonly tokens: RunState['tokens'];
  /** Time in which the model or a tool worked. Waiting for people does not count. */
  readonly workedMs: number;
}

export const NOTHING_USED: Used = {
  calls: new Set(),
  cards: new Set(),
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  workedMs: 0,
};

export function usedIn({ run, calls, approvals, tokens, workedMs }: RunState): Used {
  const begun = new Set<string>();
  for (const [call, { execution }] of calls) if (execution.type !== 'none') begun.add(`${run}/${call}`);
  const cards = new Set<string>();
  for (const { call } of approvals.values()) cards.add(`${run}/${call}`);
  return { calls: begun, cards, tokens, workedMs };
}

export function addUsed(one: Used, other: Used): Used {
  const { tokens: a } = one;
  const { tokens: b } = other;
  return {
    calls: new Set([...one.calls, ...other.calls]),
    cards: new Set([...one.cards, ...other.cards]),
    tokens: {
      input: a.input + b.input,
      output: a.output + b.output,
      cacheRead: a.cacheRead + b.cacheRead,
      cacheWrite: a.cacheWrite + b.cacheWrite,
    },
    workedMs: one.workedMs + other.workedMs,
  };
}

type Counted = 'calls' | 'cards' | 'turns';

/** One list for each day on which runs began, so that a reader skips the days it does not need. */
export function tallyIndex(
  team: string,
  what: Counted,
  whose: `requester:${string}` | `tool:${string}`,
  atMs: number,
): IndexName {
  return { what: 'tally', of: `${team}:${what}:${whose}:${new Date(atMs).toISOString().slice(0, 10)}` };
}

/** The places of a person or tool for that day. Unlike a tally, places are limited in number. */
export function placesIndex(...about: Parameters<typeof tallyIndex>) {
  return { what: 'places', of: tallyIndex(...about).of } as const;
}

/** What an entry adds to the tallies of a person and of a tool. Appended with the entry, so that every replica agrees. */
export function tallies(state: RunState, entry: EntryBody): readonly Effect[] {
  const { run, thread, requester, startedAtMs } = state;
  const member = (what: Counted, whose: `requester:${string}` | `tool:${string}`, text: string): Effect => ({
    type: 'member',
    index: tallyIndex(thread.team, what, whose, startedAtMs),
    member: text,
  });
  switch (entry.type) {
    case 'call-started':
    case 'call-asked': {
      const what = entry.type === 'call-started' ? 'calls' : 'cards';
      const key = `${run}/${entry.call}`;
      return [member(what, `requester:${requester}`, key), member(what, `tool:${entry.tool}`, key)];
    }
    case 'turn-answered': {
      const { input, output, cacheRead, cacheWrite } = entry.tokens;
      const numbers = [input, output, cacheRead, cacheWrite, Math.round(state.turnMs)];
      return [member('turns', `requester:${requester}`, [run, entry.turn, ...numbers].join('/'))];
    }
    case 'call-finished': {
      const numbers = [0, 0, 0, 0, workedIn(state, entry)];
      return [member('turns', `requester:${requester}`, [run, `v${state.version}`, ...numbers].join('/'))];
    }
    default:
      return [];
  }
}

/** The tokens and the time of a turn, or the time of a call, as `tallies` wrote them. */
export function readTurn(member: string): Pick<Used, 'tokens' | 'workedMs'> {
  const [, , input = 0, output = 0, cacheRead = 0, cacheWrite = 0, workedMs = 0] = member.split('/').map(Number);
  return { tokens: { input, output, cacheRead, cacheWrite }, workedMs };
}
