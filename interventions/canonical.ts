/**
 * Turns a value into one text: equal inputs give equal texts whatever the order of their keys, and different inputs
 * give different texts. No data makes it fail, because a gate that crashes on an odd input has not gated it. What JSON cannot
 * hold is written behind a `#`, with which no JSON text starts. It walks with its own stack, so any depth works. It passes on what
 * a Proxy throws that hides its keys or its kind: a text for that would be the same for different inputs.
 */
export function canonical(value: unknown): string {
  return shallow(value, 0) ?? deep(value);
}

/** JSON without any sign that a reader may take for the end of a line. It means the same. */
export function inOneLine(json: string): string {
  return json.replace(/[\u0085\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The words of a person, for a sentence to the model. */
export function quoted(words: string): string {
  return inOneLine(JSON.stringify(words));
}

/** Deeper values, and values that are not plain, take the slow way. */
const SHALLOW = 32;

/** Makes the same text quickly for small plain inputs, which nearly all calls have. `undefined` for any other value. */
function shallow(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return scalar(value);
  if (depth >= SHALLOW) return undefined;
  const list = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!list && prototype !== Object.prototype && prototype !== null) return undefined;
  const keys = list ? Array.from(value.keys()) : Object.keys(value).sort();
  let text = '';
  for (const key of keys) {
    const inner = shallow(read(value, `${key}`), depth + 1);
    if (inner === undefined) return undefined;
    const label = list ? '' : `${JSON.stringify(key)}:`;
    text += text === '' ? `${label}${inner}` : `,${label}${inner}`;
  }
  return list ? `[${text}]` : `{${text}}`;
}

function deep(value: unknown): string {
  const out: string[] = [];
  const open = new Map<object, number>();
  const work: Work[] = [{ type: 'value', value }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    switch (next.type) {
      case 'text':
        out.push(next.text);
        break;
      case 'close':
        open.delete(next.object);
        out.push(next.text);
        break;
      case 'value':
        if (typeof next.value === 'object' && next.value !== null) enter(next.value, { out, open, work });
        else out.push(scalar(next.value));
        break;
    }
  }
  return out.join('');
}

/** The exact call as text. An approval is bound to this. */
export function canonicalCall({ name, input }: { readonly name: string; readonly input: unknown }): string {
  return canonical({ tool: name, input });
}

type Work =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'close'; readonly object: object; readonly text: string };

interface Walk {
  readonly out: string[];
  readonly open: Map<object, number>;
  readonly work: Work[];
}

function scalar(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      if (Object.is(value, -0)) return '-0';
      return Number.isFinite(value) ? String(value) : `#${value}`;
    case 'boolean':
      return String(value);
    case 'bigint':
      return `#${value}n`;
    case 'function':
    case 'symbol':
      return `#${typeof value}(${JSON.stringify(String(value))})`;
    default:
      return value === null ? 'null' : '#undefined';
  }
}

function enter(object: object, { out, open, work }: Walk): void {
  const depth = open.get(object);
  if (depth !== undefined) {
    out.push(`#cycle(${depth})`);
    return;
  }
  open.set(object, open.size);
  const pieces = Array.isArray(object) ? listPieces(object) : objectPieces(object);
  out.push(pieces.begin);
  work.push({ type: 'close', object, text: pieces.end });
  for (let index = pieces.items.length - 1; index >= 0; index -= 1) {
    const item = pieces.items[index];
    if (item === undefined) continue;
    work.push(
      { type: 'value', value: item.value },
      { type: 'text', text: index === 0 ? item.label : `,${item.label}` },
    );
  }
}

interface Pieces {
  readonly begin: string;
  readonly end: string;
  readonly items: readonly { readonly label: string; readonly value: unknown }[];
}

function listPieces(list: readonly unknown[]): Pieces {
  return { begin: '[', end: ']', items: Array.from(list, (value) => ({ label: '', value })) };
}

/** Sorts keys by code unit. Marks an object that is not plain with its kind, so a Date is not an empty object. */
function objectPieces(object: object): Pieces {
  const items = Object.keys(object)
    .sort()
    .map((key) => ({ label: `${JSON.stringify(key)}:`, value: read(object, key) }));
  return { begin: `${kind(object)}{`, end: '}', items };
}

function kind(object: object): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null) return '';
  if (object instanceof Date) return `#Date(${object.getTime()})`;
  if (object instanceof Map || object instanceof Set) return `#Collection(${canonical([...object])})`;
  return `#Instance(${scalar(textOf(object))})`;
}

/** What a value says of itself, or a symbol when it cannot. It may have no `toString`, or one that throws. */
export function textOf(value: unknown): unknown {
  const made = {
    get text() {
      return String(value);
    },
  };
  return read(made, 'text');
}

/** The member of an object, or a symbol when it cannot be read. */
export function read(object: object, key: string): unknown {
  try {
    return Reflect.get(object, key);
    // A getter of the input may throw. The text must still be made, so it says that the value is unreadable.
  } catch {
    return Symbol('unreadable');
  }
}
