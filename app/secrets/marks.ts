import type { Json } from '../../interventions/index.ts';
import { isJsonObject, targetOf } from '../json.ts';

/**
 * What the schemas of a tool say of one place of an input. They mark a secret member with `writeOnly: true` or
 * `format: "password"`, two keywords of JSON Schema that tool servers use as well.
 */
export interface Marks {
  readonly isMarked: boolean;
  readonly member: (name: string) => Marks;
  readonly item: (index: number) => Marks;
}

/** The schemas of a tool take too many steps to follow into this input. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/**
 * The place of the whole input. Items without a schema of their own share one place, and so do members: the work depends
 * on the members that the schema names, and not on how many values the input has.
 */
export function marksOf(root: Json): Marks {
  let left = STEPS;
  const spend = (steps: number): void => {
    left -= steps;
    if (left < 0) throw new TooManySteps();
  };
  const follow = onceEach((reference: string) => targetOf(reference, root));
  const at = (schemas: Schemas): Marks => {
    if (schemas.length === 0) return NO_MARKS;
    const all = whole(schemas, follow, spend);
    const inside = (find: () => Schemas): Marks => {
      spend(all.length);
      return at(find());
    };
    let names: ReadonlySet<string> | undefined;
    const member = onceEach((name: string | undefined) => inside(() => ofMember(all, name)));
    const items = Math.max(...all.map((schema) => itemsByPlace(schema).length));
    const item = onceEach((index: number) => inside(() => ofItem(all, index)));
    return {
      isMarked: isMarked(all),
      member: (name) => {
        names ??= namesIn(all, spend);
        return member(names.has(name) ? name : undefined);
      },
      item: (index) => item(Math.min(index, items)),
    };
  };
  return at([root]);
}

/** Well above what any honest schema needs for an input of the largest size. */
const STEPS = 500_000;

type Schemas = readonly Json[];

const NO_MARKS: Marks = { isMarked: false, member: () => NO_MARKS, item: () => NO_MARKS };

function isMarked(schemas: Schemas): boolean {
  return schemas.some((schema) => read(schema, 'writeOnly') === true || read(schema, 'format') === 'password');
}

/** All schemas of one place: also those behind references, and those that may count there. Each is visited once. */
function whole(
  schemas: Schemas,
  follow: (reference: string) => Json | undefined,
  spend: (steps: number) => void,
): Schemas {
  // The walk visits what is added on the way, and a set holds a schema once, however many references lead to it.
  const all = new Set(schemas);
  for (const schema of all) {
    spend(1);
    for (const name of ['anyOf', 'oneOf', 'allOf']) for (const one of list(read(schema, name))) all.add(one);
    for (const name of ['if', 'then', 'else']) for (const one of present(read(schema, name))) all.add(one);
    for (const name of ['dependentSchemas', 'dependencies'])
      for (const one of Object.values(read(schema, name) ?? {})) all.add(one);
    const reference = read(schema, '$ref');
    const target = typeof reference === 'string' ? follow(reference) : undefined;
    if (target !== undefined) all.add(target);
  }
  return [...all];
}

function namesIn(schemas: Schemas, spend: (steps: number) => void): ReadonlySet<string> {
  const names = schemas.flatMap((schema) => Object.keys(read(schema, 'properties') ?? {}));
  spend(names.length);
  return new Set(names);
}

/** Without a name: the schemas of members that no schema names. */
function ofMember(schemas: Schemas, name: string | undefined): Schemas {
  return schemas.flatMap((schema) => {
    const named = name === undefined ? undefined : read(read(schema, 'properties'), name);
    const others = ['additionalProperties', 'unevaluatedProperties'];
    return named === undefined ? others.flatMap((other) => present(read(schema, other))) : [named];
  });
}

function ofItem(schemas: Schemas, index: number): Schemas {
  return schemas.flatMap((schema) => {
    const rest = Array.isArray(read(schema, 'items')) ? 'additionalItems' : 'items';
    const other = read(schema, rest) ?? read(schema, 'unevaluatedItems');
    return [...present(itemsByPlace(schema)[index] ?? other), ...present(read(schema, 'contains'))];
  });
}

/** Before `prefixItems` there was a list in `items`. */
function itemsByPlace(schema: Json): Schemas {
  return list(read(schema, 'prefixItems') ?? read(schema, 'items'));
}

function onceEach<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}

function read(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function present(value: Json | undefined): Schemas {
  return value === undefined ? [] : [value];
}

function list(value: Json | undefined): Schemas {
  return Array.isArray(value) ? value : [];
}
