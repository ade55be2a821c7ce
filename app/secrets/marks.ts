import type { Json } from '../../interventions/index.ts';

/**
 * Reads from the schema of a tool which members are secret: `writeOnly: true`, or `format: "password"`. Both are words of
 * JSON Schema that tool servers use as well.
 */
export type Schemas = readonly Json[];

export function isMarked(schemas: Schemas): boolean {
  return schemas.some((schema) => member(schema, 'writeOnly') === true || member(schema, 'format') === 'password');
}

/** All schemas that speak of one place: behind references, and in each of several. Each is looked at once. */
export function whole(schemas: Schemas, root: Json): Schemas {
  // A set grows while it is walked, and holds a schema once, however many references lead to it.
  const all = new Set(schemas);
  for (const schema of all) {
    for (const name of ['anyOf', 'oneOf', 'allOf']) for (const one of list(member(schema, name))) all.add(one);
    for (const one of referred(schema, root)) all.add(one);
  }
  return [...all];
}

export function ofMember(schemas: Schemas, name: string): Schemas {
  return schemas.flatMap((schema) => {
    const named = member(member(schema, 'properties'), name);
    const other = named === undefined ? member(schema, 'additionalProperties') : named;
    return other === undefined ? [] : [other];
  });
}

export function ofItem(schemas: Schemas, index: number): Schemas {
  return schemas.flatMap((schema) => {
    const place = list(member(schema, 'prefixItems'))[index] ?? member(schema, 'items');
    return place === undefined ? [] : [place];
  });
}

function referred(schema: Json, root: Json): Schemas {
  const reference = member(schema, '$ref');
  if (typeof reference !== 'string' || !reference.startsWith('#')) return [];
  const target = reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((at, part) => member(at, part.replaceAll('~1', '/').replaceAll('~0', '~')), root);
  return target === undefined ? [] : [target];
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, Json>>)[name] : undefined;
}

function list(value: Json | undefined): Schemas {
  return Array.isArray(value) ? value : [];
}
