import { createHash } from 'node:crypto';
import type { Json } from '../../interventions/index.ts';
import type { ToolSpec } from '../agent/ports.ts';
import type { Tool } from './tool.ts';
import { ToolDefinitionError } from './tool-check.ts';

export interface ToolTable {
  readonly all: readonly Tool[];
  /** As the model is shown them, always in the same order, so that its cache keeps. */
  readonly specs: readonly ToolSpec[];
  readonly find: (name: string) => Tool | undefined;
}

/** The tools of a deployment by name. Two of one name would make an approval mean either, so they are refused. */
export function toolTable(tools: readonly Tool[]): ToolTable {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const other = byName.get(tool.name);
    if (other !== undefined)
      throw new ToolDefinitionError(
        tool.name,
        `is defined twice (${other.origin}, ${tool.origin}). Rename one of them`,
      );
    byName.set(tool.name, tool);
  }
  const all = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const specs = all.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { all, specs, find: (name) => byName.get(name) };
}

/**
 * Names what a person was shown of a tool: trust and approvals hold for this definition and for no other. What
 * `run` does is code of the deployment and cannot be seen from here.
 */
export function definitionHash({ name, description, inputSchema, effect, origin }: Tool): string {
  return createHash('sha256')
    .update(inKeyOrder({ name, description, inputSchema, effect, origin }))
    .digest('base64url');
}

/** Two servers, or one server twice, may list the same schema in another order: that is no change. */
function inKeyOrder(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
