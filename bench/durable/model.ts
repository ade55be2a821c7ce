import type { ModelFunction } from '../../app/agent/index.ts';
import type { ContentBlock, Message } from '../../interventions/index.ts';

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** The answer that ends a run. */
export const DONE = 'Done.';

/** What a person writes to get this many calls of the tool, one after the other. */
export const wish = (calls: number): string => `Deploy ${calls} times.`;

/** The number of calls in such a text. */
export const wished = (text: string): number => Number(/Deploy (\d+) times/.exec(text)?.[1] ?? 0);

let ids = 0;

/** Answers at once. It calls the tool as often as the last person wished, one call in each turn, and then is done. */
export const instantModel: ModelFunction = async ({ messages }) => {
  const wishedAt = messages.findLastIndex((message) => message.role === 'user' && textOf(message) !== '');
  const made = messages.slice(wishedAt + 1).filter(({ role }) => role === 'assistant').length;
  if (made >= wished(textOf(messages[wishedAt]))) return answer({ type: 'text', text: DONE });
  ids += 1;
  return answer({ type: 'toolUse', toolUseId: `call-${ids}`, name: 'deploy', input: { to: made + 1 } });
};

function answer(block: ContentBlock): Awaited<ReturnType<ModelFunction>> {
  const stopReason = block.type === 'toolUse' ? ('toolUse' as const) : ('endTurn' as const);
  return { message: { role: 'assistant', content: [block] }, stopReason, usage };
}

/** The words that a person wrote, without results of tools. */
function textOf(message: Message | undefined): string {
  return (message?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
