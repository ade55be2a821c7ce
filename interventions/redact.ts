import { isJson } from './app-state.ts';
import { canonical } from './canonical.ts';
import { clone, isInstance } from './copy.ts';
import type { Json } from './messages.ts';

const SECRET = /token|secret|passw|authorization|api[-_]?key|credential|private[-_]?key/i;
/** The password of an address. What a command is written with stays visible. */
const PASSWORD = /(?<=:\/\/[^\s:/@]{0,100}:)[\w.~%+-]{1,200}(?=@)/g;
const HIDDEN = '[redacted]';

/** The input without passwords of addresses and the values of keys that sound like secrets. What JSON cannot hold becomes text. */
export function redactSecrets(_tool: string, input: unknown): Json {
  const shown: unknown = clone(input, hide);
  return isJson(shown) ? shown : canonical(shown);
}

function hide(value: unknown, key: string): unknown {
  if (SECRET.test(key)) return HIDDEN;
  if (typeof value === 'string') return value.replace(PASSWORD, HIDDEN);
  if (!isInstance(value)) return value;
  // The members of an instance of a class cannot be replaced, so all of it is hidden.
  const text = canonical(value);
  return SECRET.test(text) || text.search(PASSWORD) !== -1 ? HIDDEN : value;
}
