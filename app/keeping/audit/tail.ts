import type { Store } from '../../store/index.ts';
import { type ExportOptions, exportLines } from './export.ts';

/** How many past entries come first when no time is given. */
const NEWEST = 20;

/** The newest entries in the order of time, then each new one. Each comes once. */
export async function* tailLines(
  store: Pick<Store, 'journals' | 'read' | 'readItems'>,
  options: ExportOptions,
  again: () => Promise<boolean>,
): AsyncGenerator<string> {
  const told = new Set<string>();
  const news = async () => {
    const lines: { readonly time: string; readonly line: string }[] = [];
    for await (const line of exportLines(store, options)) {
      const { journal, position, time } = readLine(line);
      const key = `${journal} ${position}`;
      if (told.has(key)) continue;
      told.add(key);
      lines.push({ time, line });
    }
    return lines.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ line }) => line);
  };

  const first = await news();
  yield* options.sinceMs === undefined ? first.slice(-NEWEST) : first;
  while (await again()) yield* await news();
}

/** Reads a line that `exportLines` has just written. */
function readLine(line: string): { readonly journal: string; readonly position: number; readonly time: string } {
  const { journal, position, time = '' } = JSON.parse(line);
  return { journal, position, time };
}
