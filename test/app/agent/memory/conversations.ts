import * as fc from 'fast-check';
import type { Message, ToolResultBlock } from '../../../../interventions/index.ts';
import { call, says } from '../../../support/scripted-model.ts';

/** One exchange: a person speaks or not, some batches of tool calls, and an answer or not. */
interface Exchange {
  readonly spoken: boolean;
  readonly batches: readonly (readonly number[])[];
  readonly answered: boolean;
}

const exchange: fc.Arbitrary<Exchange> = fc.record({
  spoken: fc.boolean(),
  batches: fc.array(fc.array(fc.constantFrom(5, 501, 3_000), { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
  answered: fc.boolean(),
});

/** Any conversation that a loop could have left: requests are followed by their results, and roles alternate. */
export const conversation: fc.Arbitrary<readonly Message[]> = fc
  .array(exchange, { minLength: 1, maxLength: 12 })
  .map((exchanges) => exchanges.reduce<readonly Message[]>(add, []))
  .filter((messages) => messages.length > 0);

function add(messages: readonly Message[], { spoken, batches, answered }: Exchange, index: number): readonly Message[] {
  const more: Message[] = [];
  const last = () => (more.at(-1) ?? messages.at(-1))?.role;
  if (spoken && last() !== 'user') more.push(says(`question ${index}`));
  for (const [at, sizes] of batches.entries()) {
    if (last() !== 'user') break;
    const ids = sizes.map((_size, call) => `id-${index}-${at}-${call}`);
    more.push({ role: 'assistant', content: ids.map((id) => call('look', {}, id)) });
    more.push({ role: 'user', content: ids.map((id, call) => resultOf(id, sizes[call] ?? 0)) });
  }
  if (answered && last() === 'user') more.push({ role: 'assistant', content: [{ type: 'text', text: 'answer' }] });
  return [...messages, ...more];
}

function resultOf(toolUseId: string, size: number): ToolResultBlock {
  const content = [{ type: 'text', text: '\u{1f600}'.repeat(Math.ceil(size / 2)) }] as const;
  return { type: 'toolResult', toolUseId, status: 'success', content };
}

/** What is wrong with a conversation, in words. */
export function flawsOf(messages: readonly Message[]): readonly string[] {
  const flaws: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const next = messages[index + 1];
    if (next?.role === role) flaws.push(`${index} and ${index + 1} are both ${role}`);
    const asked = content.flatMap((block) => (block.type === 'toolUse' ? [block.toolUseId] : []));
    const told = resultIds(next);
    if (asked.length > 0 && JSON.stringify(asked) !== JSON.stringify(told)) {
      flaws.push(`${index} asks for ${asked.join()} and ${index + 1} tells of ${told.join()}`);
    }
    const before = messages[index - 1]?.content.some((block) => block.type === 'toolUse') ?? false;
    if (resultIds(messages[index]).length > 0 && !before) flaws.push(`${index} holds results nobody asked for`);
  }
  return flaws;
}

function resultIds(message: Message | undefined): readonly string[] {
  return (message?.content ?? []).flatMap((block) => (block.type === 'toolResult' ? [block.toolUseId] : []));
}
