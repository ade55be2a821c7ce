import { setTimeout as pause } from 'node:timers/promises';
import { diskFolder, memoryFolder } from '../folders.ts';
import { type Figure, median } from '../measure.ts';
import { NO_REDIS } from '../redis-server.ts';
import type { Bench, Medians, OpenPart, Part, Size, Subject } from '../rounds.ts';
import { commandFigures } from './redis-commands.ts';
import { idleShare, processorMsOf, startWholeBot, type WholeBot } from './stage.ts';

/** Calls of the long run whose processor time is measured. */
const CALLS = 12;
/**
 * Slack takes 50 changed messages a minute, and the bot keeps to that. It paints a card before it starts the tool and once the
 * tool has ended, so with more calls the paintings would wait, and be made while something else is measured.
 */
const MINUTE_MS = 61_000;
const PAINTINGS_PER_MINUTE = 50;
const PAINTINGS_PER_CALL = 2;
/** Of so many rounds, the first has the short turns and the last the long one. */
const EVERY = 3;
const MS = 1_000;

interface Target {
  readonly engine: 'SQLite' | 'Redis';
  readonly pressMs: number;
  readonly turnMs: number;
  readonly longRunMs: number;
}

const ASKED: readonly Target[] = [
  { engine: 'SQLite', pressMs: 4, turnMs: 12, longRunMs: 60 },
  { engine: 'Redis', pressMs: 5, turnMs: 15, longRunMs: 75 },
];

export const wholePart: Part = {
  title: 'The whole bot: a process of its own, signed HTTP, the sandbox as Slack and as the model',
  open: openWhole,
};

async function openWhole({ size, redis }: Bench): Promise<OpenPart> {
  const engines = ASKED.filter(({ engine }) => engine === 'SQLite' || redis !== undefined);
  const bots = await Promise.all(
    engines.map(async (asked) => {
      const redisUrl = asked.engine === 'Redis' ? redis?.freshUrl() : undefined;
      const bot = await startWholeBot({ dataDir: memoryFolder() ?? diskFolder(), redisUrl });
      const within = inPace();
      for (let turn = 0; turn < size.warmUp; turn += 1) await within(1, () => bot.turn(1));
      return { asked, bot, within, redisUrl };
    }),
  );
  const subjects: Subject[] = [];
  for (const { asked, bot, within } of bots)
    subjects.push(...wholeSubjects(asked, bot, { within, turns: size.turns, idle: await idleShare(bot) }));
  return {
    subjects,
    figures: async (of) => {
      const figures = bots.flatMap(({ asked }) => wholeFigures(asked, of));
      for (const { bot, redisUrl } of bots) {
        await bot.close();
        if (redisUrl !== undefined) figures.push(...(await commandFigures(redisUrl)));
      }
      return figures;
    },
    notes: [
      `The whole bot had made ${size.warmUp} turns before it was measured.`,
      ...(redis === undefined ? [NO_REDIS] : []),
    ],
    close: async () => {
      for (const { bot } of bots) await bot.close();
    },
  };
}

/** Does work with so many calls, once a minute has room for their paintings. */
type InPace = <Result>(calls: number, work: () => Promise<Result>) => Promise<Result>;

function inPace(): InPace {
  let made: readonly number[] = [];
  return async (calls, work) => {
    const most = PAINTINGS_PER_MINUTE / PAINTINGS_PER_CALL - calls;
    await pause(Math.max(0, (made.at(-most - 1) ?? Number.NEGATIVE_INFINITY) + MINUTE_MS - performance.now()));
    const result = await work();
    made = [...made, ...Array.from({ length: calls }, () => performance.now())];
    return result;
  };
}

interface Measuring extends Pick<Size, 'turns'> {
  readonly within: InPace;
  /** The share of a processor that the idle bot takes. */
  readonly idle: number;
}

function wholeSubjects({ engine }: Target, bot: WholeBot, { within, turns, idle }: Measuring): readonly Subject[] {
  const processorMs = (calls: number, work: () => Promise<unknown>): Promise<number> =>
    within(calls, () => processorMsOf(bot, idle, work));
  const short = async () => {
    const presses: number[] = [];
    const spentMs = await processorMs(turns, async () => {
      for (let turn = 0; turn < turns; turn += 1) presses.push(...(await bot.turn(1)));
    });
    return { [`${engine}: press`]: median(presses) / MS, [`${engine}: processor`]: spentMs / turns };
  };
  const long = async () => ({ [`${engine}: long run`]: await processorMs(CALLS, () => bot.turn(CALLS)) });
  return [everyThird(short, 1), everyThird(long, EVERY)];
}

/** The same in one round of three, and nothing in the others. */
function everyThird(measure: Subject['measure'], which: number): Subject {
  let round = 0;
  const inTurn: Subject['measure'] = async () => {
    round += 1;
    return round % EVERY === which % EVERY ? measure() : {};
  };
  return { measure: inTurn, long: true };
}

function wholeFigures({ engine, pressMs, turnMs, longRunMs }: Target, of: Medians): Figure[] {
  return [
    {
      what: `${engine}: from a press to the start of the tool`,
      value: of(`${engine}: press`),
      unit: 'ms',
      target: pressMs,
    },
    {
      what: `${engine}: processor time of the bot for an approved turn`,
      value: of(`${engine}: processor`),
      unit: 'ms',
      target: turnMs,
    },
    {
      what: `${engine}: processor time of the bot for ${CALLS} approved calls in one run`,
      value: of(`${engine}: long run`),
      unit: 'ms',
      target: longRunMs,
    },
  ];
}
