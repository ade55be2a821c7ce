import { elapsedMicros, type Figure, median } from '../measure.ts';
import type { Medians, Size, Subject } from '../rounds.ts';
import type { Place } from './places.ts';
import { threadsOf } from './threads.ts';
import { callTimes } from './turns.ts';

const CALLS = 50;
const CALLS_COMPARED = 5;

/** The first and the last calls of a long run, and the first and the last runs of a long thread. */
export function growthSubjects({ name, bot }: Place, { runs }: Size): readonly Subject[] {
  const fresh = threadsOf('fresh');
  const compared = runs / 10;
  const calls = async () => {
    const first = bot.modelAsked.length;
    await bot.turn(fresh(), CALLS);
    const times = callTimes(bot.modelAsked.slice(first));
    return {
      [`${name}: first calls`]: median(times.slice(0, CALLS_COMPARED)),
      [`${name}: last calls`]: median(times.slice(-CALLS_COMPARED)),
    };
  };
  const thread = async () => {
    const where = fresh();
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) times.push(await elapsedMicros(() => bot.turn(where, 1)));
    return {
      [`${name}: first runs`]: median(times.slice(0, compared)),
      [`${name}: last runs`]: median(times.slice(-compared)),
    };
  };
  return [
    { measure: calls, long: true },
    { measure: thread, long: true },
  ];
}

export function growthFigures({ name }: Place, of: Medians, { runs }: Size): readonly Figure[] {
  const median = (what: string) => of(`${name}: ${what}`);
  const growth = { unit: '×', target: 1.2 } as const;
  const [callsFrom, runsFrom] = [CALLS - CALLS_COMPARED + 1, runs - runs / 10 + 1];
  return [
    { what: `${name}: a call, calls 1 to ${CALLS_COMPARED} of a run`, value: median('first calls'), unit: 'µs' },
    { what: `${name}: a call, calls ${callsFrom} to ${CALLS} of a run`, value: median('last calls'), unit: 'µs' },
    { what: `${name}: growth of a call in a run`, value: median('last calls') / median('first calls'), ...growth },
    { what: `${name}: a turn, runs 1 to ${runs / 10} of a thread`, value: median('first runs'), unit: 'µs' },
    { what: `${name}: a turn, runs ${runsFrom} to ${runs} of a thread`, value: median('last runs'), unit: 'µs' },
    { what: `${name}: growth of a turn in a thread`, value: median('last runs') / median('first runs'), ...growth },
  ];
}
