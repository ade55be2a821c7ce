import type { Json } from '../../../../interventions/index.ts';

export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
