import type { ContentBlock, Message } from '../../../interventions/index.ts';

/**
 * Keeps the newest pictures and documents within the limit, because each request to the model carries all of them. A
 * note stands in the place of each older one.
 */
export function withinMedia(messages: readonly Message[], mostChars: number): readonly Message[] {
  let chars = 0;
  return messages
    .toReversed()
    .map((message) => {
      const content = message.content.toReversed().map((block): ContentBlock => {
        if (block.type !== 'image' && block.type !== 'document') return block;
        chars += block.base64.length;
        if (chars <= mostChars) return block;
        return { type: 'text', text: `[${block.type} ${block.name ?? ''} was shown here before and is left out now]` };
      });
      return { ...message, content: content.toReversed() };
    })
    .toReversed();
}
