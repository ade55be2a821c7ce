import type { ContentBlock, Message } from '../../../../interventions/index.ts';
import { given } from '../../../given.ts';

/**
 * Describes a reduced conversation without repeating it: messages and blocks that stayed are named by their place in
 * the conversation before.
 */
export type ReducedPart =
  | { readonly from: number; readonly to: number }
  | { readonly role: Message['role']; readonly origin?: Message['origin']; readonly content: readonly ReducedBlock[] };

type ReducedBlock = { readonly message: number; readonly block: number } | { readonly put: ContentBlock };

export function describeReduction(before: readonly Message[], after: readonly Message[]): readonly ReducedPart[] {
  const parts: ReducedPart[] = [];
  for (const message of after) {
    const at = before.indexOf(message);
    const last = parts.at(-1);
    if (at < 0) parts.push(describeMessage(before, message));
    else if (last !== undefined && 'to' in last && last.to === at) {
      parts[parts.length - 1] = { from: last.from, to: at + 1 };
    } else parts.push({ from: at, to: at + 1 });
  }
  return parts;
}

export function applyReduction(before: readonly Message[], parts: readonly ReducedPart[]): readonly Message[] {
  return parts.flatMap((part): readonly Message[] => {
    if ('to' in part) return before.slice(part.from, part.to);
    const content = part.content.map((block) => {
      if ('put' in block) return block.put;
      const found = before[block.message]?.content[block.block];
      if (found === undefined) {
        throw new Error(
          'A stored conversation names a block that it does not have, so the session is damaged. Restore it from a copy, or begin a new one.',
        );
      }
      return found;
    });
    return [{ role: part.role, ...given({ origin: part.origin }), content }];
  });
}

function describeMessage(before: readonly Message[], { role, origin, content }: Message): ReducedPart {
  const blocks = content.map((block): ReducedBlock => {
    const message = before.findIndex((one) => one.content.includes(block));
    if (message < 0) return { put: block };
    return { message, block: before[message]?.content.indexOf(block) ?? 0 };
  });
  return { role, ...given({ origin }), content: blocks };
}
