/** Attributes as the caller gives them. A span cannot hold all of them; others are left out. */
export type TraceAttributes = Readonly<Record<string, unknown>>;

type Scalar = string | number | boolean;
export type ScalarAttributes = Readonly<Record<string, Scalar | string[] | number[] | boolean[]>>;

/** Scalars, and lists of scalars of one kind. */
export function scalarsOf(attributes: TraceAttributes): ScalarAttributes {
  const kept: Record<string, Scalar | string[] | number[] | boolean[]> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') kept[key] = value;
    else if (!Array.isArray(value)) continue;
    else if (value.every((item) => typeof item === 'string')) kept[key] = [...value];
    else if (value.every((item) => typeof item === 'number')) kept[key] = [...value];
    else if (value.every((item) => typeof item === 'boolean')) kept[key] = [...value];
  }
  return kept;
}
