/** Remembers a limited number of values, and forgets the oldest first. */
export interface Newest<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
}

export function createNewest<Value>(limit: number): Newest<Value> {
  const kept = new Map<string, Value>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      kept.set(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= limit) return;
        kept.delete(oldest);
      }
    },
  };
}
