import type { TextBlock } from '../../../../interventions/index.ts';

/** How a caller can give a system prompt. */
export type SystemPrompt = string | readonly TextBlock[];

/** The text of a system prompt, or `undefined` when it has none. Blocks that are no text are left out. */
export function promptText(prompt: SystemPrompt | undefined): string | undefined {
  if (typeof prompt === 'string' || prompt === undefined) return prompt;
  const blocks: unknown = prompt;
  if (!Array.isArray(blocks) || !blocks.every((block) => typeof block === 'object' && block !== null)) {
    throw new TypeError(
      'The system prompt is neither a text nor a list of blocks. Give a text, a list of text blocks, or undefined.',
    );
  }
  const texts = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}
