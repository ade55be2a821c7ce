import type { Person } from '../records/index.ts';
import type { Store } from '../store/index.ts';

/**
 * Words that give trust and take it back. The store keeps what became of them, because Slack may deliver them again, also to
 * another process, and also after the first one died.
 */
export interface TakenBack {
  /**
   * Returns a function that says whether this person has taken back trust in this tool since the words were first heard. To
   * give trust, the bot first asks Slack, so `untrust` may overtake it, also in another process. Then the trust is not given.
   */
  readonly watch: (words: WordsOfTrust) => Promise<() => Promise<boolean>>;
  /** What the words came to. Absent: no process has carried them out to their end. */
  readonly answerTo: (words: WordsOfTrust) => Promise<AnswerToWords | undefined>;
  /** Keeps what the words came to, unless another process has. Returns what stands. */
  readonly settle: (words: WordsOfTrust, answer: AnswerToWords) => Promise<AnswerToWords>;
  /**
   * Carries out words that take back trust. Delivered again, they are not carried out: trust may have been given since. They
   * are only where the process died, or the store was away, before they were done.
   */
  readonly once: <Result>(words: WordsOfTrust, end: () => Promise<Result>) => Promise<Result | 'before'>;
}

export interface WordsOfTrust {
  readonly by: Person;
  readonly tool: string;
  /** Names these words, however often they are delivered. Absent: it is not known whether they came before. */
  readonly delivery: string | undefined;
}

export interface AnswerToWords {
  /** Why the words give no trust. Absent: they gave it. */
  readonly why: string | undefined;
}

export function createTakenBack({ members, takePlace }: Pick<Store, 'members' | 'takePlace'>): TakenBack {
  const listOf = (what: string, { team, user }: Person, of: string) =>
    ({ what: 'places', of: `${team}:${what}:${user}:${of}` }) as const;

  const countOf = async ({ by, tool }: WordsOfTrust): Promise<number> => {
    const lists = [tool, 'all'].map((one) => members(listOf('untrust-begun', by, one)));
    return (await Promise.all(lists)).flat().length;
  };

  const kept = async (what: string, { by, delivery }: WordsOfTrust): Promise<string | undefined> =>
    delivery === undefined ? undefined : (await members(listOf(what, by, delivery)))[0];

  /** Each process gets what the first one wrote about these words. */
  const first = async (what: string, words: WordsOfTrust, member: string): Promise<string> => {
    const { by, delivery } = words;
    if (delivery !== undefined) await takePlace({ index: listOf(what, by, delivery), member, most: 1 });
    return (await kept(what, words)) ?? member;
  };

  return {
    watch: async (words) => {
      const before = await first('trust-heard', words, `${await countOf(words)}`);
      return async () => `${await countOf(words)}` !== before;
    },
    answerTo: async (words) => {
      const answer = await kept('trust-answered', words);
      return answer === undefined ? undefined : readAnswer(answer);
    },
    settle: async (words, { why = GIVEN }) => readAnswer(await first('trust-answered', words, why)),
    once: async ({ by, tool, delivery }, end) => {
      if (delivery === undefined) return end();
      const done = listOf('untrust-done', by, tool);
      if ((await members(done)).includes(delivery)) return 'before';
      await takePlace({ index: listOf('untrust-begun', by, tool), member: delivery, most: MOST });
      const result = await end();
      await takePlace({ index: done, member: delivery, most: MOST });
      return result;
    },
  };
}

/** Stands in the list of the answer to words that gave trust. A reason is a sentence. */
const GIVEN = 'given';

const readAnswer = (kept: string): AnswerToWords => ({ why: kept === GIVEN ? undefined : kept });

/** Of one person and tool within a month. Later ones end trust as well, but none that is about to be given. */
const MOST = 1_000;
