import type { Figure } from '../measure.ts';
import type { DurableBot } from './bot.ts';
import { emptyTally, type Tally } from './counted-store.ts';
import { EARLIER_RUNS, threadOf } from './threads.ts';

/** Calls of the longer run from which the cost of a further call is computed. */
const CALLS = 11;
const FURTHER = CALLS - 1;
const KB = 1_000;

/**
 * What an approved turn asks of the store, in a thread with runs behind it. It does not depend on the machine. The first such
 * turn of a process also reads the runs whose messages the model is shown, so it is counted apart.
 */
export async function countFigures(bot: DurableBot): Promise<readonly Figure[]> {
  const cold = await tallyOf(bot, 1);
  const turn = await tallyOf(bot, 1);
  const longer = await tallyOf(bot, CALLS);
  const further = (name: keyof Tally): number => (longer[name] - turn[name]) / FURTHER;
  const where = `with ${EARLIER_RUNS} runs behind it`;
  return [
    { what: `reads of journals in an approved turn ${where}`, value: turn.reads, unit: '', target: 6 },
    { what: 'entries read in it', value: turn.entriesRead, unit: '', target: 1.5 * turn.entriesAppended },
    { what: 'reads of journals in the first such turn of a process', value: cold.reads, unit: '' },
    { what: 'entries read in that', value: cold.entriesRead, unit: '' },
    { what: 'appends in it', value: turn.appends, unit: '', target: 10 },
    { what: 'entries appended in it', value: turn.entriesAppended, unit: '' },
    { what: 'all calls of the store in it', value: turn.calls, unit: '' },
    { what: 'written in it, without sealing', value: turn.bytes / KB, unit: 'KB', target: 4 },
    { what: 'reads of journals for each further call in the run', value: further('reads'), unit: '', target: 6 },
    {
      what: 'entries read for it',
      value: further('entriesRead'),
      unit: '',
      target: 1.5 * further('entriesAppended'),
    },
    { what: 'appends for it', value: further('appends'), unit: '', target: 6 },
    { what: 'entries appended for it', value: further('entriesAppended'), unit: '' },
    { what: 'written for it', value: further('bytes') / KB, unit: 'KB' },
  ];
}

async function tallyOf(bot: DurableBot, calls: number): Promise<Tally> {
  Object.assign(bot.tally, emptyTally());
  await bot.turn(threadOf('busy'), calls);
  return { ...bot.tally };
}

/** The bytes that an append of an approved turn writes, for the floor beside it. */
export async function bytesOfAppend(bot: DurableBot): Promise<number> {
  const { bytes, appends } = await tallyOf(bot, 1);
  return Math.round(bytes / appends);
}
