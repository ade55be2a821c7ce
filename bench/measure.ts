/** One row of what the bench prints. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** Empty for a count. */
  readonly unit: 'µs' | 'ms' | '×' | 'KB' | 'MB' | '';
  /** At most this is asked for. Absent for a figure that only serves as a comparison. */
  readonly target?: number;
}

/** The microseconds of processor time for one piece of work, as the mean of a batch. */
export async function processorMicros(work: () => unknown, options: { readonly batch: number }): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < options.batch; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / options.batch;
}

/** The microseconds that pass while the work is done once. */
export async function elapsedMicros(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) * 1_000;
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

export const isMissed = ({ value, target }: Figure): boolean => target !== undefined && value > target;

export function shownValue({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const size = Math.abs(value);
  const maximumFractionDigits = size < 10 ? 2 : size < 1_000 ? 1 : 0;
  return `${value.toLocaleString('en', { maximumFractionDigits })} ${unit}`.trimEnd();
}

export function lineOf(figure: Figure): string {
  const shown = shownValue(figure).padStart(12);
  const { what, target, unit } = figure;
  if (target === undefined) return `${shown}  ${what}`;
  const asked = shownValue({ value: target, unit });
  return `${shown}  ${what}  (target: at most ${asked}${isMissed(figure) ? ', missed' : ''})`;
}
