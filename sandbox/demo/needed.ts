import type { World } from '../world.ts';

/**
 * The people whose answer a card still needs, read from the line on it that calls them. The page asks, because only the demo
 * knows what a card of this bot looks like.
 */
export function neededIn(
  { blocks }: { readonly blocks: readonly { readonly type: string }[] },
  { groups }: Pick<World, 'groups'>,
): readonly string[] {
  if (!blocks.some(({ type }) => type === 'actions')) return [];
  const parts = markupIn(blocks).flatMap((text) => text.split(' · '));
  const called = parts.filter((part) => /\b(?:decide|can answer|can tell)$/.test(part));
  const answered = parts.filter((part) => part.includes(': yes from <')).flatMap(mentioned);
  const people = called.flatMap((part) => [
    ...mentioned(part),
    ...[...part.matchAll(/<!subteam\^(\w+)/g)].flatMap(([, id = '']) => groups.get(id)?.members ?? []),
  ]);
  return people.filter((user) => !answered.includes(user));
}

/** Texts of other kinds may be words of the agent, which call no person. */
function markupIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const isMarkup = 'type' in part && part.type === 'mrkdwn' && 'text' in part && typeof part.text === 'string';
  return isMarkup ? [String(part.text)] : Object.values(part).flatMap(markupIn);
}

function mentioned(part: string): readonly string[] {
  return [...part.matchAll(/<@(\w+)/g)].map(([, id = '']) => id);
}
