import type { ContentBlock, MediaBlock, Message, TextBlock } from '../../../interventions/index.ts';

/**
 * Leaves out pictures and PDFs: first those before the newest message that has any, then these too. Returns the same list
 * when there are none.
 */
export function withoutPictures(messages: readonly Message[]): readonly Message[] {
  const newest = messages.findLastIndex(hasPicture);
  if (newest === -1) return messages;
  const last = messages.findIndex(hasPicture) === newest ? newest : newest - 1;
  return messages.map((message, at) =>
    at <= last && hasPicture(message) ? { ...message, content: message.content.map(leftOut) } : message,
  );
}

function hasPicture({ content }: Message): boolean {
  return content.some((block) => isPicture(block) || (block.type === 'toolResult' && block.content.some(isPicture)));
}

/** A document that is text is never refused for what is in it. */
function isPicture(block: ContentBlock): block is MediaBlock {
  return block.type === 'image' || (block.type === 'document' && block.mediaType === 'application/pdf');
}

function leftOut(block: ContentBlock): ContentBlock {
  if (block.type === 'toolResult')
    return { ...block, content: block.content.map((part) => (isPicture(part) ? note(part) : part)) };
  return isPicture(block) ? note(block) : block;
}

function note({ type, name = '' }: MediaBlock): TextBlock {
  return { type: 'text', text: `[${type} ${name} left out: the model does not take it]`.replace('  ', ' ') };
}
