import type { Json } from '../../interventions/index.ts';

/** A part of an input that people do not see. */
export interface Hidden {
  readonly path: readonly string[];
  readonly value: Json;
  readonly shown: string;
  /** What found the secret. Only the schema is the tool's own statement; a name or a pattern may be wrong. */
  readonly by: 'schema' | 'name' | 'pattern';
  /** How many characters of the value are hidden. */
  readonly chars: number;
}

/** Replaces each fingerprint that a person left in its place by its secret. A fingerprint at another place is named. */
export function putBack(
  typed: Json,
  hidden: readonly Hidden[],
): { readonly type: 'whole'; readonly value: Json } | { readonly type: 'moved'; readonly shown: string } {
  const at = new Map(hidden.map((one) => [JSON.stringify(one.path), one]));
  let moved: string | undefined;
  const see = (value: Json, path: readonly string[]): Json => {
    if (typeof value === 'string') {
      const known = at.get(JSON.stringify(path));
      if (known?.shown === value) return known.value;
      moved ??= /\[hidden [0-9a-f]{10}(?:: [^\]]{1,60})?\]/.exec(value)?.[0];
      return value;
    }
    if (Array.isArray(value)) return value.map((item, index) => see(item, [...path, `${index}`]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, see(inner, [...path, name])]));
  };
  const value = see(typed, []);
  return moved === undefined ? { type: 'whole', value } : { type: 'moved', shown: moved };
}

/** The names of the hidden members, for a line that lists them. */
export function namesOf(hidden: readonly Hidden[]): readonly string[] {
  return hidden.map(({ path }) => nameAt(path)).sort();
}

/** What is hidden although the tool's schema does not declare it secret. A card that hides it has no Approve. */
export function undeclaredOf(hidden: readonly Hidden[]) {
  return hidden.flatMap(({ path, by, chars }) => (by === 'schema' ? [] : [{ name: nameAt(path), by, chars }]));
}

function nameAt(path: readonly string[]): string {
  return path.join('.') || 'the whole input';
}
