import { type Figure, median } from './measure.ts';
import type { RedisServer } from './redis-server.ts';

/** How much is measured. */
export interface Size {
  readonly rounds: number;
  /** Turns of each kind in each round. */
  readonly turns: number;
  /** How often everything quick is done before the rounds: code that runs often is compiled, and does not count. */
  readonly warmUp: number;
  /** Earlier runs behind the last of the measured runs of a thread. */
  readonly runs: number;
  /** Approvals that wait while the memory is measured. */
  readonly waiting: number;
  /** Approvals that wait while the bot is started. */
  readonly pending: number;
  /** Approvals that wait in the store while a press wakes another process. */
  readonly besides: readonly number[];
}

export const WHOLE: Size = {
  rounds: 9,
  turns: 5,
  warmUp: 60,
  runs: 100,
  waiting: 1_000,
  pending: 10_000,
  besides: [0, 1_000, 50_000],
};
/** Under two minutes on two idle cores: the whole bot makes so few calls that Slack takes all their paintings in one. */
export const QUICK: Size = {
  rounds: 3,
  turns: 3,
  warmUp: 10,
  runs: 100,
  waiting: 100,
  pending: 1_000,
  besides: [0, 1_000],
};

/** What each part is handed. */
export interface Bench {
  readonly size: Size;
  /** `undefined` where none is installed. */
  readonly redis: RedisServer | undefined;
}

/** A group of figures. */
export interface Part {
  readonly title: string;
  readonly open: (bench: Bench) => Promise<OpenPart>;
}

export interface OpenPart {
  readonly subjects?: readonly Subject[];
  /** Called after all rounds. */
  readonly figures: (of: Medians) => readonly Figure[] | Promise<readonly Figure[]>;
  /** Sentences to be read with the figures, as why some are missing here. */
  readonly notes?: readonly string[];
  readonly close?: () => Promise<void>;
}

/** What is measured in every round. */
export interface Subject {
  /** One or more values, each under its name. */
  readonly measure: () => Promise<Readonly<Record<string, number>>>;
  /** It takes long, so a round measures it once. Otherwise as often as the size says. */
  readonly long?: true;
}

/** A subject of one value. */
export const subject = (name: string, measure: () => Promise<number>): Subject => ({
  measure: async () => ({ [name]: await measure() }),
});

/** The median of the rounds for a name. */
export type Medians = (name: string) => number;

/** Measures all subjects in turn, round by round, so that what slows the machine for a while slows each of them. */
export async function inRounds(
  subjects: readonly Subject[],
  { rounds, turns, warmUp }: Size,
  note: (line: string) => void,
): Promise<Medians> {
  note('Warming up');
  for (const subject of subjects.filter(({ long = false }) => !long)) await observed(subject, warmUp);
  const medians = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    note(`Round ${round + 1} of ${rounds}`);
    for (const subject of subjects) {
      for (const [name, values] of await observed(subject, turns)) {
        medians.set(name, [...(medians.get(name) ?? []), median(values)]);
      }
    }
  }
  return (name) => {
    const found = medians.get(name);
    if (found === undefined) throw new Error(`No subject measures “${name}”. Name one that does.`);
    return median(found);
  };
}

async function observed({ measure, long }: Subject, turns: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const values = new Map<string, number[]>();
  for (let time = 0; time < (long ? 1 : turns); time += 1) {
    for (const [name, value] of Object.entries(await measure())) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}
