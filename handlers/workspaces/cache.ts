/** The most entries that a cache of this room holds. */
export const MOST_CACHED = 500;

/** Remembers answers, and never a failure. An answer may be `keptMs` old. `elapsed` gives milliseconds that only go up. */
export function createCache<Value>(keptMs: number, elapsed: () => number = () => performance.now()) {
  const kept = new Map<string, { readonly sinceMs: number; readonly value: Promise<Value> }>();
  return (key: string, load: () => Promise<Value>, oldMs = keptMs): Promise<Value> => {
    const known = kept.get(key);
    if (known !== undefined && elapsed() < known.sinceMs + oldMs) return known.value;
    if (kept.size >= MOST_CACHED) kept.clear();
    const value = load();
    kept.set(key, { sinceMs: elapsed(), value });
    // A failure is not remembered. The caller gets it from `value`.
    value.catch(() => kept.delete(key));
    return value;
  };
}
