import type { Thread } from '../../app/records/index.ts';
import { elapsedMicros, type Figure, median } from '../measure.ts';
import { type Medians, type Size, type Subject, subject } from '../rounds.ts';
import type { Place } from './places.ts';
import { threadOf, threadsOf } from './threads.ts';

/** Calls of a run whose further calls are measured. */
const CALLS = 6;
const MICROS_PER_MS = 1_000;

/** Threads of 10 messages that are used up: one for a turn of one call, and one for a turn of several. */
export const shortsFor = ({ rounds, turns, warmUp }: Size): number => (rounds * turns + warmUp) * 2;

/** A turn of one call and the further calls of a longer one, in a short thread and in a long one; and the floor. */
export function turnSubjects({ name, bot, floor }: Place): readonly Subject[] {
  const unused = threadsOf('short');
  /** A thread whose last messages this process has written, so that the bot knows it as it knows the long one. */
  const short = async (): Promise<Thread> => {
    const thread = unused();
    await bot.turn(thread, 0);
    return thread;
  };
  const turn = (thread: Thread) => elapsedMicros(() => bot.turn(thread, 1));
  const furtherCall = async (thread: Thread): Promise<number> => {
    const first = bot.modelAsked.length;
    await bot.turn(thread, CALLS);
    return median(callTimes(bot.modelAsked.slice(first)).slice(1));
  };
  return [
    subject(`${name}: floor`, () => floor.once()),
    subject(`${name}: turn after 10`, async () => turn(await short())),
    subject(`${name}: turn after 1,000`, () => turn(threadOf('long'))),
    subject(`${name}: call after 10`, async () => furtherCall(await short())),
    subject(`${name}: call after 1,000`, () => furtherCall(threadOf('long'))),
  ];
}

/** How long each call took, in microseconds: from the model's answer that asked for it to the next request. */
export function callTimes(modelAsked: readonly number[]): readonly number[] {
  return modelAsked.slice(1).map((atMs, place) => (atMs - (modelAsked[place] ?? atMs)) * MICROS_PER_MS);
}

export function turnFigures({ name }: Place, of: Medians): readonly Figure[] {
  const median = (what: string) => of(`${name}: ${what}`);
  const floor = median('floor');
  const { turn, longTurn, call } = targetsOf(name, floor);
  const growth = { unit: '×', target: 1.2 } as const;
  return [
    {
      what: `${name}: ${name === 'Redis' ? 'a bare publish, until it is heard' : 'a bare commit of the same size'}`,
      value: floor,
      unit: 'µs',
    },
    { what: `${name}: an approved turn after 10 messages`, value: median('turn after 10'), unit: 'µs', ...turn },
    { what: `${name}: an approved turn after 1,000`, value: median('turn after 1,000'), unit: 'µs', ...longTurn },
    { what: `${name}: growth of the turn`, value: median('turn after 1,000') / median('turn after 10'), ...growth },
    {
      what: `${name}: each further call in the run, after 10 messages`,
      value: median('call after 10'),
      unit: 'µs',
      ...call,
    },
    { what: `${name}: each further call after 1,000`, value: median('call after 1,000'), unit: 'µs', ...call },
    { what: `${name}: growth of the call`, value: median('call after 1,000') / median('call after 10'), ...growth },
  ];
}

type Target = Pick<Figure, 'target'>;

/** On a disk, the commits are most of a turn, so what is asked for follows from a bare one. */
function targetsOf(name: Place['name'], floor: number): Readonly<Record<'turn' | 'longTurn' | 'call', Target>> {
  switch (name) {
    case 'SQLite on tmpfs':
      return { turn: { target: 1_000 }, longTurn: { target: 1_100 }, call: { target: 600 } };
    case 'SQLite on disk': {
      const turn = { target: 10 * floor + 400 };
      return { turn, longTurn: turn, call: { target: 6 * floor + 250 } };
    }
    case 'Redis':
      return { turn: {}, longTurn: {}, call: {} };
  }
}
