import type { ContentBlock, Message } from '../../../interventions/index.ts';

/**
 * Pictures and documents are shown to the model again with each request, and it takes only so much of them: the newest
 * are kept, and of the others it is told that they were there.
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
