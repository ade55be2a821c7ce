import type { Json } from '../../interventions/index.ts';
import { LIMITS } from '../limits.ts';
import { nextTurn } from '../time/index.ts';

/** Why people cannot review an input of this size, or `undefined`. The caller puts the name of the tool in front. */
export function tooLarge(input: Json): string | undefined {
  const { toolInputBytes, toolInputValues } = LIMITS;
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes > toolInputBytes)
    return `it has ${bytes} bytes, and people can review at most ${toolInputBytes}. Send less, or in several calls.`;
  if (hasMore(input, toolInputValues))
    return `it has more than ${toolInputValues} values, and people cannot review them. Send fewer, or in several calls.`;
  return undefined;
}

/** An input is read several times before people see it. Between two readings of a large one, other work has its turn. */
export async function betweenReadings(input: Json): Promise<void> {
  if (isLong(input)) await nextTurn();
}

/** Characters that are read within one turn. A value costs about as much as some of them, also an empty one. */
const READ_AT_ONCE = 20_000;
const VALUE_CHARS = 10;

/** Counts no more than it must: to write the whole input as JSON would be one more reading. */
function isLong(input: Json): boolean {
  const left: unknown[] = [input];
  let chars = 0;
  while (left.length > 0 && chars <= READ_AT_ONCE) {
    const value = left.pop();
    chars += VALUE_CHARS + (typeof value === 'string' ? value.length : 0);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      chars += name.length;
      left.push(inner);
    }
  }
  return chars > READ_AT_ONCE;
}

function hasMore(input: Json, values: number): boolean {
  const left: unknown[] = [input];
  let seen = 0;
  for (; left.length > 0 && seen + left.length <= values; seen += 1) {
    const value = left.pop();
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner);
  }
  return left.length > 0;
}
