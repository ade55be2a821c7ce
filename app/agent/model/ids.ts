import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { Message } from '../../../interventions/index.ts';

/** A message in the provider's shape, as this bot makes it. */
export interface Param {
  readonly role: Message['role'];
  readonly content: ContentBlockParam[];
}

/**
 * Makes the ids of calls unique. A model may repeat an id, and the provider refuses a conversation with a repeat. A second
 * call with an id gets a new id, and so does its result. Later messages change no id, so the beginning of a conversation
 * stays as it was sent before.
 */
export function withUniqueIds(params: readonly Param[]): readonly Param[] {
  const used = new Set<string>();
  let asked = new Map<string, string[]>();
  return params.map((param) => {
    if (param.role === 'assistant') asked = new Map();
    const content = param.content.map((block): ContentBlockParam => {
      switch (block.type) {
        case 'tool_use': {
          const id = unused(block.id, used);
          used.add(id);
          asked.set(block.id, [...(asked.get(block.id) ?? []), id]);
          return { ...block, id };
        }
        case 'tool_result': {
          // Results stand in the order of their calls.
          const [id = block.tool_use_id, ...others] = asked.get(block.tool_use_id) ?? [];
          asked.set(block.tool_use_id, others);
          return { ...block, tool_use_id: id };
        }
        default:
          return block;
      }
    });
    return { ...param, content };
  });
}

function unused(id: string, used: ReadonlySet<string>): string {
  let name = id;
  for (let count = 2; used.has(name); count += 1) name = `${id}-${count}`;
  return name;
}
