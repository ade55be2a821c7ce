import type { Thread } from '../../app/records/index.ts';
import { TEAM } from '../../sandbox/people.ts';
import type { DurableBot } from './bot.ts';

/** Threads of each kind are told apart by the second they began in. */
const SECOND = { short: 1, long: 2, fresh: 3, busy: 4, waiting: 5 } as const;
const CHANNEL = 'C0OPS00001';

export function threadOf(kind: keyof typeof SECOND, place = 0): Thread {
  return { team: TEAM, channel: CHANNEL, ts: `170000000${SECOND[kind]}.${`${place}`.padStart(6, '0')}` };
}

/** Threads of a kind, each once. */
export function threadsOf(kind: keyof typeof SECOND): () => Thread {
  let taken = 0;
  return () => {
    taken += 1;
    return threadOf(kind, taken);
  };
}

const MESSAGES_OF_A_RUN = 2;
const SHORT = 10;
const LONG = 1_000;
/** Runs behind the turn whose store calls are counted. */
export const EARLIER_RUNS = 20;

/**
 * Fills a store: `shorts` threads whose next exchange makes 10 messages of them, one of 1,000, and one with approved runs
 * behind it.
 */
export async function writeThreads(bot: DurableBot, shorts: number): Promise<void> {
  const short = threadsOf('short');
  for (let count = 0; count < shorts; count += 1) await talk(bot, short(), SHORT - MESSAGES_OF_A_RUN);
  await talk(bot, threadOf('long'), LONG);
  for (let run = 0; run < EARLIER_RUNS; run += 1) await bot.turn(threadOf('busy'), 1);
}

/** A person and the bot write in turn, without a call of a tool. */
async function talk(bot: DurableBot, thread: Thread, messages: number): Promise<void> {
  for (let count = 0; count < messages; count += MESSAGES_OF_A_RUN) await bot.turn(thread, 0);
}
