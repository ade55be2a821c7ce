export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 'µs' | 'ms' | '×';
  /** What the design asks for. Absent for a figure that only serves as a comparison. */
  readonly target?: number;
}

/**
 * The microseconds of processor time for one piece of work. It takes the median of batches, to leave out garbage
 * collection, and the least of several rounds, to leave out the load of a busy machine.
 */
export async function microseconds(work: () => unknown, options: { readonly batch: number }): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const batches: number[] = [];
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const before = process.cpuUsage();
      for (let time = 0; time < options.batch; time += 1) await work();
      const { user, system } = process.cpuUsage(before);
      batches.push((user + system) / options.batch);
    }
    rounds.push(median(batches));
  }
  return Math.min(...rounds);
}

const ROUNDS = 5;
const BATCHES = 30;

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

export function lineOf({ what, value, unit, target }: Figure): string {
  const shown = `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`.padStart(12);
  if (target === undefined) return `${shown}  ${what}`;
  return `${shown}  ${what}  (target: at most ${target} ${unit}${value <= target ? '' : ', missed'})`;
}
