import { isJson } from './app-state.ts';
import { canonical } from './canonical.ts';
import { clone, isInstance } from './copy.ts';
import type { Json } from './messages.ts';

const SECRET = /token|secret|passw|authorization|api[-_]?key|credential|private[-_]?key/i;

/** The input without the values of keys that sound like secrets. What JSON cannot hold becomes text. */
export function redactSecrets(_tool: string, input: unknown): Json {
  const shown: unknown = clone(input, hide);
  return isJson(shown) ? shown : canonical(shown);
}

/** Hides a whole instance of a class whose text sounds like a secret, because its members cannot be replaced. */
function hide(value: unknown, key: string): unknown {
  return SECRET.test(isInstance(value) ? `${key} ${canonical(value)}` : key) ? '[redacted]' : value;
}
