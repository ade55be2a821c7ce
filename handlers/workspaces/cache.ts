/** The most entries that a cache of this room holds. */
export const MOST_CACHED = 500;

/** Remembers answers for a while, and never a failure. `elapsed` gives milliseconds that only go up. */
export function createCache<Value>(keptMs: number, elapsed: () => number = () => performance.now()) {
  const kept = new Map<string, { readonly untilMs: number; readonly value: Promise<Value> }>();
  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(key);
    if (known !== undefined && elapsed() < known.untilMs) return known.value;
    if (kept.size >= MOST_CACHED) kept.clear();
    const value = load();
    kept.set(key, { untilMs: elapsed() + keptMs, value });
    // A failure is not remembered. The caller gets it from `value`.
    value.catch(() => kept.delete(key));
    return value;
  };
}
