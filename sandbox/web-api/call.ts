import type { Block } from '../block-kit/blocks.ts';
import { checkMessageBlocks } from '../block-kit/check.ts';
import { type ApiJson, type ApiObject, isObject, parseJson } from '../json.ts';
import type { State } from '../state.ts';

/** One call of a method: what was asked, and what a method may use to answer. */
export interface Call {
  readonly arguments: ApiObject;
  readonly state: State;
  /** Sends an event to the app, as the consequence of what a method did. */
  readonly sendEvent: (event: ApiObject) => void;
  /** The address of this server, without a slash at the end. */
  readonly address: string;
  readonly streamLifeMs: number;
}

export type Method = (call: Call) => ApiObject;

/** An answer `{ ok: false, error }`. */
export class PlatformError extends Error {
  readonly problems: readonly string[];
  /** What else the answer says. */
  readonly more: ApiObject;

  constructor(error: string, problems: readonly string[] = [], more: ApiObject = {}) {
    super(error);
    this.problems = problems;
    this.more = more;
  }
}

/** Arguments come as text in a form or as JSON; both are read the same way, and a wrong kind is refused. */
export function text(call: Call, name: string): string | undefined {
  const value = call.arguments[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `${value}`;
  throw wrongKind(name, 'a string');
}

export function needText(call: Call, name: string): string {
  const value = text(call, name);
  if (value === undefined || value === '') {
    throw new PlatformError('invalid_arguments', [`[ERROR] missing required field: ${name}`]);
  }
  return value;
}

export function flag(call: Call, name: string): boolean | undefined {
  const value = call.arguments[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (value === true || value === 'true' || value === '1' || value === 1) return true;
  if (value === false || value === 'false' || value === '0' || value === 0) return false;
  throw wrongKind(name, 'a boolean');
}

export function count(call: Call, name: string): number | undefined {
  const value = text(call, name);
  if (value === undefined || value === '') return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0) throw wrongKind(name, 'a whole number');
  return number;
}

export function json(call: Call, name: string): ApiJson | undefined {
  const value = call.arguments[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  if (parsed === undefined) throw wrongKind(name, 'JSON');
  return parsed;
}

export function object(call: Call, name: string): ApiObject | undefined {
  const value = json(call, name);
  if (value === undefined || isObject(value)) return value;
  throw wrongKind(name, 'an object');
}

/** The blocks of a message, checked; `undefined` when the argument is not there at all. */
export function blocks(call: Call): readonly Block[] | undefined {
  const value = json(call, 'blocks');
  if (value === undefined) return undefined;
  const checked = checkMessageBlocks(value);
  if (checked.type === 'refused') throw new PlatformError(checked.error, checked.problems);
  return checked.value;
}

function wrongKind(name: string, kind: string): PlatformError {
  return new PlatformError('invalid_arguments', [`[ERROR] ${name} must be ${kind} [json-pointer:/${name}]`]);
}
