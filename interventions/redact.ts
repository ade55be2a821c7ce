import { isJson } from './app-state.ts';
import { canonical } from './canonical.ts';
import { clone } from './copy.ts';
import type { Json } from './messages.ts';

const SECRET = /token|secret|passw|authorization|api[-_]?key|credential|private[-_]?key/i;

/** The input without the values of keys that sound like secrets. What JSON cannot hold becomes text. */
export function redactSecrets(_tool: string, input: unknown): Json {
  if (!isJson(input)) return canonical(input);
  return hide(clone(input));
}

function hide(value: Json): Json {
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET.test(key) ? '[redacted]' : hide(inner)]),
  );
}
