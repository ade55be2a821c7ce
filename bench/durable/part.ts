import type { Figure } from '../measure.ts';
import { NO_REDIS } from '../redis-server.ts';
import type { Bench, OpenPart, Part } from '../rounds.ts';
import { bytesOfAppend, countFigures } from './counts.ts';
import { growthFigures, growthSubjects } from './growth.ts';
import { openPlaces, type Place } from './places.ts';
import { shortsFor, turnFigures, turnSubjects } from './turns.ts';

const NO_MEMORY = 'SQLite on tmpfs: this system has no /dev/shm.';

/** Growth is measured where a commit costs least, and on Redis. */
const measuresGrowth = ({ name }: Place, places: readonly Place[]): boolean =>
  name === 'Redis' || name === places[0]?.name;

export const durablePart: Part = { title: 'A durable turn: the real parts on a real store', open: openDurable };

async function openDurable({ size, redis }: Bench): Promise<OpenPart> {
  const places = await openPlaces({ redis, shorts: shortsFor(size), bytesOf: bytesOfAppend });
  const [first] = places;
  const growing = places.filter((place) => measuresGrowth(place, places));
  return {
    subjects: [...places.flatMap(turnSubjects), ...growing.flatMap((place) => growthSubjects(place, size))],
    figures: async (of): Promise<readonly Figure[]> => [
      ...places.flatMap((place) => turnFigures(place, of)),
      ...growing.flatMap((place) => growthFigures(place, of, size)),
      ...(first === undefined ? [] : await countFigures(first.bot)),
    ],
    notes: [
      ...(places.some(({ name }) => name === 'SQLite on tmpfs') ? [] : [NO_MEMORY]),
      ...(redis === undefined ? [NO_REDIS] : []),
    ],
    close: async () => {
      for (const place of places) await place.close();
    },
  };
}
