import type { ContentBlock, Message, ToolResultBlock } from '../../../interventions/index.ts';

const KEPT = 200;

/** Shortens the large tool results of the oldest message that has any. Returns the same list when no message has large ones. */
export function shrinkOldestResults(messages: readonly Message[]): readonly Message[] {
  const at = messages.findIndex(({ content }) => content.some(isLarge));
  const found = messages[at];
  if (found === undefined) return messages;
  const content = found.content.map((block) => (isLarge(block) ? shorten(block) : block));
  return messages.with(at, { ...found, content });
}

function isLarge(block: ContentBlock): block is ToolResultBlock {
  return block.type === 'toolResult' && block.content.some((part) => part.type !== 'text' || part.text.length > LARGE);
}

/** A shortened text is never large, so no text is shortened twice. */
const LARGE = 2 * KEPT + 100;

function shorten(result: ToolResultBlock): ToolResultBlock {
  const content = result.content.map((part) => {
    if (part.type !== 'text') return { type: 'text' as const, text: `[${part.type} left out to make room]` };
    if (part.text.length <= LARGE) return part;
    const missing = part.text.length - 2 * KEPT;
    // No provider takes half a character.
    const begin = part.text.slice(0, KEPT).replace(/[\uD800-\uDBFF]$/, '');
    const end = part.text.slice(-KEPT).replace(/^[\uDC00-\uDFFF]/, '');
    return { type: 'text' as const, text: `${begin}\n[${missing} characters left out to make room]\n${end}` };
  });
  return { ...result, content };
}
