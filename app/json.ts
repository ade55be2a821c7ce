import type { Json } from '../interventions/index.ts';

export type JsonObject = { readonly [key: string]: Json };

/** The value that this text says, or `undefined` when the text is not JSON. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
    // `JSON.parse` throws for text that is not JSON. The caller decides what that means.
  } catch {
    return undefined;
  }
}

/** For a value that came as JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Is a number what was written? `1e2` and `100.0` are two spellings of one number. */
export function isKept(value: number, written: string): boolean {
  return digitsOf(String(value)) === digitsOf(written);
}

/** The digits without the zeros around them, and their power of ten. */
function digitsOf(written: string): string {
  const [significand = '', power = '0'] = written.toLowerCase().split('e');
  const [whole = '', part = ''] = significand.replace(/^[+-]/, '').split('.');
  const all = `${whole}${part}`;
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const digits = all.slice(0, end).replace(/^0+/, '');
  return digits === '' ? '0' : `${digits}e${Number(power) - part.length + all.length - end}`;
}

/** The part of a JSON Schema that a reference into it leads to. Names in a reference may be encoded as in an address. */
export function targetOf(reference: string, root: Json): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  return pointerOf(reference).reduce<Json | undefined>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return Reflect.get(at, name);
  }, root);
}

export function pointerOf(reference: string): readonly string[] {
  return decoded(reference)
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
    // The reference is not encoded, so it is used as it is.
  } catch {
    return reference;
  }
}
