import { read } from './canonical.ts';

/**
 * A copy that shares no list, plain object or date with the original, so that neither can change the other. Any depth works. `change`
 * may put another value in place of each, before it is copied.
 */
export function clone<Value>(value: Value, change = (one: unknown, _key: string): unknown => one): Value {
  const box: Record<string, unknown> = {};
  const seen = new Map<object, object>();
  const work: { readonly from: unknown; readonly into: Record<string, unknown>; readonly key: string }[] = [
    { from: value, into: box, key: 'value' },
  ];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { into, key } = next;
    const from = change(next.from, key);
    if (!isData(from)) {
      put(into, key, from instanceof Date ? new Date(from) : from);
      continue;
    }
    const known = seen.get(from);
    if (known !== undefined) {
      put(into, key, known);
      continue;
    }
    const twin: Record<string, unknown> = Object(Array.isArray(from) ? [] : {});
    seen.set(from, twin);
    put(into, key, twin);
    if (Array.isArray(from)) Reflect.set(twin, 'length', from.length);
    // The last key first, because the work is taken from its end and a copy keeps the order of its keys.
    for (const name of Object.keys(from).reverse()) work.push({ from: read(from, name), into: twin, key: name });
  }
  // The box holds a copy of the value, which has the type of the value.
  return box.value as Value;
}

/** The fields that have a value. To a reader of JSON, absent and undefined are different things. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  // The type says that exactly the undefined values are left out.
  return kept as Given<Fields>;
}

type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** Freezes a value and everything below it. */
export function freezeDeep<Value>(value: Value): Value {
  const seen = new Set<unknown>();
  const work: unknown[] = [value];
  while (work.length > 0) {
    const next = work.pop();
    // What is frozen already may hold what is not.
    if (!isData(next) || seen.has(next)) continue;
    seen.add(Object.freeze(next));
    work.push(...Object.values(next));
  }
  return value;
}

/** Whether a value is a list or a plain object. */
export function isData(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Whether a value is any other object, such as a date or an instance of a class. */
export function isInstance(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isData(value);
}

/** Sets a key. `__proto__` is an ordinary key of an input, and must not reach the prototype. */
function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') into[key] = value;
  else Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
}
