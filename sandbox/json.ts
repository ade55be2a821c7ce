export type ApiJson = null | boolean | number | string | readonly ApiJson[] | ApiObject;

/** A field that is `undefined` is not sent. */
export interface ApiObject {
  readonly [key: string]: ApiJson | undefined;
}

export function isObject(value: unknown): value is ApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What JSON.parse gives, or `undefined` for text that is not JSON. */
export function parseJson(text: string): ApiJson | undefined {
  try {
    return JSON.parse(text);
    // The text is not JSON.
  } catch {
    return undefined;
  }
}

/** Gives a value that a schema has checked the type of JSON, by a copy. */
export function asJson(value: unknown): ApiJson {
  return JSON.parse(JSON.stringify(value));
}

/** The value at a path in unknown JSON. */
export function at(value: ApiJson | undefined, ...path: readonly (string | number)[]): ApiJson | undefined {
  return path.reduce<ApiJson | undefined>(
    (inner, key) => (Array.isArray(inner) ? inner[Number(key)] : isObject(inner) ? inner[String(key)] : undefined),
    value,
  );
}

export function textAt(value: ApiJson | undefined, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}
