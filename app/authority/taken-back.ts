import type { Person } from '../records/index.ts';
import type { Store } from '../store/index.ts';

/** What people take back in words. The store keeps it, so every process knows. */
export interface TakenBack {
  /**
   * Returns a function that says whether this person has taken back trust in this tool since. To give trust, the bot first
   * asks Slack, so `untrust` may overtake it, also in another process. Then the trust is not given.
   */
  readonly watch: (by: Person, tool: string) => Promise<() => Promise<boolean>>;
  /**
   * Carries out words that take back trust. Delivered again, they are not carried out: trust may have been given since. They
   * are only where the process died, or the store was away, before they were done.
   */
  readonly once: <Result>(words: WordsOfEnd, end: () => Promise<Result>) => Promise<Result | 'before'>;
}

interface WordsOfEnd {
  readonly by: Person;
  readonly tool: string;
  /** Names these words, however often they are delivered. Absent: it is not known whether they came before. */
  readonly delivery: string | undefined;
}

export function createTakenBack({ members, takePlace }: Pick<Store, 'members' | 'takePlace'>): TakenBack {
  const listOf = (what: 'begun' | 'done', { team, user }: Person, tool: string) =>
    ({ what: 'places', of: `${team}:untrust-${what}:${user}:${tool}` }) as const;

  const countOf = async (by: Person, tool: string): Promise<number> => {
    const lists = [tool, 'all'].map((one) => members(listOf('begun', by, one)));
    return (await Promise.all(lists)).flat().length;
  };

  return {
    watch: async (by, tool) => {
      const before = await countOf(by, tool);
      return async () => (await countOf(by, tool)) !== before;
    },
    once: async ({ by, tool, delivery }, end) => {
      if (delivery === undefined) return end();
      const done = listOf('done', by, tool);
      if ((await members(done)).includes(delivery)) return 'before';
      await takePlace({ index: listOf('begun', by, tool), member: delivery, most: MOST });
      const result = await end();
      await takePlace({ index: done, member: delivery, most: MOST });
      return result;
    },
  };
}

/** Of one person and tool within a month. Later ones end trust as well, but none that is about to be given. */
const MOST = 1_000;
