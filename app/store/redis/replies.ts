/** Checks the replies of Redis. */

export function numberIn(reply: unknown): number {
  if (typeof reply === 'number') return reply;
  throw unexpected(reply);
}

export function textIn(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  throw unexpected(reply);
}

export function wordIn<Word extends string>(reply: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => word === reply);
  if (found === undefined) throw unexpected(reply);
  return found;
}

export function listIn(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  throw unexpected(reply);
}

export function textsIn(reply: unknown): readonly string[] {
  return listIn(reply).map(textIn);
}

function unexpected(reply: unknown): Error {
  const shape = Array.isArray(reply) ? 'list' : typeof reply;
  return new Error(
    `Redis answered with a ${shape} where something else was expected. See that no other program writes keys that ` +
      'begin with cs:, and that no proxy rewrites the answers of Redis.',
  );
}
