import { randomUUID } from 'node:crypto';
import type { Person } from '../../app/records/index.ts';
import type { HomeClaims, HomeShows } from '../../app/store/index.ts';
import { pause, whileUnderWay } from '../../app/time/index.ts';

/**
 * One process at a time draws and publishes the page of a person. Answers whether the page shows what this process sent
 * last. `not-claimed`: nothing was drawn, because another process has the page or the store is away.
 */
export type PublishByOne = (
  person: Person,
  waitMs: number,
  publish: (before: HomeShows | undefined) => Promise<HomeShows>,
) => Promise<'shown' | 'unsure' | 'not-claimed'>;

/** How long after the death of a process another one publishes its page. A process that stands still for seconds keeps the page. */
const LEASE_MS = 5_000;
const LOOK_MS = 100;

export function createPublishByOne(store: HomeClaims): PublishByOne {
  const by = randomUUID();
  return async (person, waitMs, publish) => {
    const claim = { person, by, forMs: LEASE_MS };
    const [claimed] = await Promise.allSettled([claimOrWait(() => store.claimHome(claim), waitMs)]);
    if (claimed.status === 'rejected' || claimed.value === 'elsewhere') return 'not-claimed';
    const publishing = publish(claimed.value === 'unknown' ? undefined : claimed.value);
    await whileUnderWay(publishing, LEASE_MS / 10, () => orFalse(store.keepHome(claim)));
    // If Slack refused the page, the claim ends by itself, and nothing is known.
    const { shows, forMs } = await publishing;
    // While this process stood still, another one may have published a newer page, which arrived first.
    return (await orFalse(store.keepHome({ ...claim, forMs }, shows))) ? 'shown' : 'unsure';
  };
}

async function claimOrWait(claim: () => ReturnType<HomeClaims['claimHome']>, waitMs: number) {
  for (let leftMs = waitMs; ; leftMs -= LOOK_MS) {
    const claimed = await claim();
    if (claimed !== 'elsewhere' || leftMs <= 0) return claimed;
    await pause(LOOK_MS);
  }
}

/** The store may be away. */
async function orFalse(kept: Promise<boolean>): Promise<boolean> {
  const [answer] = await Promise.allSettled([kept]);
  return answer.status === 'fulfilled' && answer.value;
}
