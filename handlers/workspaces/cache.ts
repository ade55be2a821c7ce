/** The most entries that a cache of this room holds. */
export const MOST_CACHED = 500;

export interface CacheAsk {
  /** How old the answer may be. */
  readonly oldMs?: number | undefined;
  /** This look-up lets others go first, and a caller without this does not wait for it. */
  readonly isPatient?: boolean | undefined;
}

/** Remembers answers, and never a failure. An answer may be `keptMs` old. `elapsed` gives milliseconds that only go up. */
export function createCache<Value>(keptMs: number, elapsed: () => number = () => performance.now()) {
  const kept = new Map<string, { readonly sinceMs: number; readonly value: Promise<Value>; waitsPatiently: boolean }>();
  return (
    key: string,
    load: () => Promise<Value>,
    { oldMs = keptMs, isPatient = false }: CacheAsk = {},
  ): Promise<Value> => {
    const known = kept.get(key);
    const mayJoin = isPatient || known?.waitsPatiently !== true;
    if (known !== undefined && mayJoin && elapsed() < known.sinceMs + oldMs) return known.value;
    if (kept.size >= MOST_CACHED) kept.clear();
    const look = { sinceMs: elapsed(), value: load(), waitsPatiently: isPatient };
    kept.set(key, look);
    look.value.then(
      () => {
        look.waitsPatiently = false;
      },
      // A failure is not remembered. The caller gets it from `value`.
      () => {
        if (kept.get(key) === look) kept.delete(key);
      },
    );
    return look.value;
  };
}
