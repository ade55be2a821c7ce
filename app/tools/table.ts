import { hash } from 'node:crypto';
import { canonical } from '../../interventions/index.ts';
import { given } from '../given.ts';
import type { Tool } from './tool.ts';
import { ToolDefinitionError } from './tool-check.ts';

export interface ToolTable {
  /** Always in the same order: the model is shown them so, and the provider's cache stays valid. */
  readonly all: readonly Tool[];
  readonly find: (name: string) => Tool | undefined;
}

/** The tools of a deployment by name. Two of one name are refused, because an approval could mean either. */
export function toolTable(tools: readonly Tool[]): ToolTable {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const other = byName.get(tool.name);
    if (other !== undefined) {
      const where = other.origin === tool.origin ? '' : ` (${other.origin}, ${tool.origin})`;
      throw new ToolDefinitionError(tool.name, `is defined twice${where}. Rename one of them`);
    }
    byName.set(tool.name, tool);
  }
  const all = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { all, find: (name) => byName.get(name) };
}

/** Whether a tool server may have a tool of this name: `server__tool`. The tools of servers are known only while the bot runs. */
export const mayBeOfServer = (name: string): boolean => /^(?=[\w-]+$).+?__./.test(name);

/** What became of the tool of a question since people were asked. `undefined`: it is as it was. */
export function toolNow(
  { find }: Pick<ToolTable, 'find'>,
  asked: { readonly tool: string; readonly definition: string },
): 'changed' | 'removed' | undefined {
  const tool = find(asked.tool);
  if (tool === undefined) return 'removed';
  return definitionHash(tool) === asked.definition ? undefined : 'changed';
}

/**
 * The hash of what people were shown of a tool: trust and approvals hold for this definition only. The order of keys does
 * not matter, because a server may list a schema in another order each time. The code of `run` is not part of it.
 */
export function definitionHash(tool: Tool): string {
  const known = hashes.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema, effect, origin, fingerprint, neverHide } = tool;
  const shown = { name, description, inputSchema, effect, origin, ...given({ fingerprint, neverHide }) };
  const made = hash('sha256', canonical(shown), 'base64url');
  hashes.set(tool, made);
  return made;
}

/** A tool never changes: a server that changes one gives another object. */
const hashes = new WeakMap<Tool, string>();
