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
