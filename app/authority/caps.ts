import {
  addUsed,
  costOf,
  NOTHING_USED,
  type Prices,
  placesIndex,
  type RunState,
  readTurn,
  tallyIndex,
  type Used,
  usedIn,
} from '../journal/index.ts';
import type { RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import type { Cap, Caps } from './caps-config.ts';

export interface CapsDeps {
  readonly caps: Caps;
  readonly prices: Prices | undefined;
  readonly store: Pick<Store, 'members' | 'takePlace'>;
  /** Another run of the same thread, as it is now. */
  readonly stateOf: (run: RunId) => Promise<RunState | undefined>;
}

export interface CapShare {
  /** `run/call`. */
  readonly key: string;
  readonly tool: string;
  readonly what: 'calls' | 'cards';
}

export interface CapWish {
  /** `run/call`. */
  readonly key: string;
  readonly tool: string;
  /** Whether people are about to be asked. */
  readonly asks: boolean;
}

/** The caps of one run, as one process sees them. Each method resolves to a sentence for the thread, or to `undefined`. */
export interface RunCaps {
  /** May this call be asked or started? A call that may counts at once, because calls of one turn are judged together. */
  readonly beforeCall: (state: RunState, wanted: CapWish) => Promise<string | undefined>;
  /**
   * Takes one of the places that a person and a tool have for a day, right before the card is posted or the call
   * starts. Places taken by other threads at the same time count too. A place is never given back.
   */
  readonly take: (state: RunState, place: CapShare) => Promise<string | undefined>;
  /** May the model go on? */
  readonly afterTurn: (state: RunState) => Promise<string | undefined>;
}

export function createCaps({ caps, prices, store, stateOf }: CapsDeps): () => RunCaps {
  const { perRun, perThread, perRequester, perTool = {} } = caps;

  const usedInThread = async (state: RunState): Promise<Used> => {
    let sum = usedIn(state);
    for (let run = state.previous, left = MOST_RUNS; run !== undefined && left > 0; left -= 1) {
      const before = await stateOf(run);
      if (before === undefined) break;
      sum = addUsed(sum, usedIn(before));
      run = before.previous;
    }
    return sum;
  };

  const tallied = async (state: RunState, whose: Parameters<typeof tallyIndex>[2]): Promise<Used> => {
    const list = (what: Parameters<typeof tallyIndex>[1]) =>
      store.members(tallyIndex(state.thread.team, what, whose, state.startedAtMs));
    const [calls, cards, turns] = await Promise.all([list('calls'), list('cards'), list('turns')]);
    const spent = turns.reduce<Used>((sum, turn) => addUsed(sum, { ...NOTHING_USED, ...readTurn(turn) }), NOTHING_USED);
    return { ...spent, calls: new Set(calls), cards: new Set(cards) };
  };

  const acrossThreads = ({ requester }: RunState, tool?: string): readonly Across[] => [
    { of: 'the person who asked, today', cap: perRequester, whose: `requester:${requester}` },
    ...(tool === undefined ? [] : [{ of: `${tool}, today`, cap: perTool[tool], whose: `tool:${tool}`, tool } as const]),
  ];

  const dimensions = (state: RunState, tool?: string): readonly Dimension[] => [
    { what: 'this run', cap: perRun, usage: async () => usedIn(state), spent: state },
    { what: 'this thread', cap: perThread, usage: () => usedInThread(state) },
    ...acrossThreads(state, tool).map(({ of, whose, ...rest }) => ({
      what: of,
      usage: () => tallied(state, whose),
      ...rest,
    })),
  ];

  return () => createRunCaps({ dimensions, acrossThreads, prices, takePlace: (request) => store.takePlace(request) });
}

interface Counts {
  readonly dimensions: (state: RunState, tool?: string) => readonly Dimension[];
  readonly acrossThreads: (state: RunState, tool?: string) => readonly Across[];
  readonly prices: Prices | undefined;
  readonly takePlace: Store['takePlace'];
}

function createRunCaps({ dimensions, acrossThreads, prices, takePlace }: Counts): RunCaps {
  const passed = new Map<string, CapWish>();
  let line: Promise<unknown> = Promise.resolve();

  const look: RunCaps['beforeCall'] = async (state, wanted) => {
    for (const { what, cap, usage, tool: only } of dimensions(state, wanted.tool)) {
      if (cap?.calls === undefined && cap?.cards === undefined) continue;
      const used = await usage();
      const counted = [...passed.values()].filter(({ key }) => !neverStarts(state, key));
      const about = counted.filter(({ tool }) => only === undefined || tool === only);
      const calls = new Set(used.calls).add(wanted.key);
      for (const { key } of about) calls.add(key);
      if (cap.calls !== undefined && calls.size > cap.calls) return words(what, amount('calls', cap.calls));
      if (!wanted.asks) continue;
      const cards = new Set(used.cards).add(wanted.key);
      for (const { key, asks } of about) if (asks) cards.add(key);
      if (cap.cards !== undefined && cards.size > cap.cards) return words(what, amount('cards', cap.cards));
    }
    passed.set(wanted.key, wanted);
    return undefined;
  };

  return {
    // One after the other, because calls of one turn come together and each of them changes the count.
    beforeCall: (state, wanted) => {
      const answer = line.then(() => look(state, wanted));
      // The caller gets the failure from `answer`. Here the next call only waits for the end of this one.
      line = Promise.allSettled([answer]);
      return answer;
    },
    take: async (state, { key, tool, what }) => {
      for (const { cap, whose, of } of acrossThreads(state, tool)) {
        const most = cap?.[what];
        if (most === undefined) continue;
        const index = placesIndex(state.thread.team, what, whose, state.startedAtMs);
        if (!(await takePlace({ index, member: key, most }))) return words(of, amount(what, most));
      }
      return undefined;
    },
    afterTurn: async (state) => {
      for (const { what, cap, usage, spent } of dimensions(state)) {
        if (cap?.cost === undefined && cap?.minutes === undefined && cap?.tokens === undefined) continue;
        const { tokens, workedMs } = spent ?? (await usage());
        if (cap.tokens !== undefined && sum(Object.values(tokens)) > cap.tokens)
          return words(what, `${cap.tokens.toLocaleString('en-US')} tokens of the model`);
        if (cap.minutes !== undefined && workedMs > cap.minutes * 60_000)
          return words(what, `${cap.minutes} ${cap.minutes === 1 ? 'minute' : 'minutes'} of work`);
        if (cap.cost !== undefined && prices !== undefined && costOf(tokens, prices) > cap.cost)
          return words(what, `a cost of ${cap.cost}`);
      }
      return undefined;
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const THINGS = { calls: ['tool call', 'tool calls'], cards: ['question to people', 'questions to people'] } as const;

const amount = (what: keyof typeof THINGS, most: number): string => `${most} ${THINGS[what][most === 1 ? 0 : 1]}`;

/** Whether the call was refused, expired or cancelled: it was never started and will not be. */
function neverStarts({ run, calls }: RunState, key: string): boolean {
  const call = calls.get(key.slice(run.length + 1));
  return call?.execution.type === 'none' && call.answer !== undefined;
}

/** Only this many earlier runs of a thread are counted. */
const MOST_RUNS = 500;

interface Across {
  readonly of: string;
  readonly cap: Cap | undefined;
  readonly whose: Parameters<typeof tallyIndex>[2];
  readonly tool?: string;
}

interface Dimension {
  readonly what: string;
  readonly cap: Cap | undefined;
  /** Absent: calls of every tool count. */
  readonly tool?: string;
  readonly usage: () => Promise<Used>;
  /** The part of the usage that a turn adds to, where it is known without the calls. */
  readonly spent?: Pick<Used, 'tokens' | 'workedMs'>;
}

const words = (what: string, most: string) =>
  `I stopped at a limit: ${most} for ${what}. Nothing more runs. The people who run me can raise it.`;

/** A cap was reached. The run stops, and the message is what the thread is told. */
export class CapReachedError extends Error {
  override readonly name = 'CapReachedError';
}
