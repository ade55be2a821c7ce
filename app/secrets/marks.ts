import type { Json } from '../../interventions/index.ts';

/**
 * The schemas that describe one place of an input. They mark a secret member with `writeOnly: true` or
 * `format: "password"`, two keywords of JSON Schema that tool servers use as well.
 */
export type Schemas = readonly Json[];

export function isMarked(schemas: Schemas): boolean {
  return schemas.some((schema) => member(schema, 'writeOnly') === true || member(schema, 'format') === 'password');
}

/** All schemas of one place: also those behind references and in `anyOf`, `oneOf` and `allOf`. Each is visited once. */
export function whole(schemas: Schemas, root: Json): Schemas {
  // The walk visits what is added on the way, and a set holds a schema once, however many references lead to it.
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
